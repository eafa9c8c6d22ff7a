package dev.outbox.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.report.Variant;
import dev.outbox.servers.Database;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingTest {
  @Test
  void without_options_it_is_postgres_and_everything_as_often_as_usual() {
    Setting setting = Setting.of(List.of());

    assertThat(setting)
        .isEqualTo(new Setting(Database.POSTGRES, List.of(), Map.of(), 0, false, null, null));
    assertThat(setting.databaseName()).isEqualTo("postgres");
    assertThat(setting.count(100, 10)).isEqualTo(100);
    assertThat(setting.roundsOr(9)).isEqualTo(9);
  }

  @Test
  void options_say_where_what_and_how_often() {
    String line =
        "--db h2 --contenders raw,outbox --only batch=100,relays=2 --rounds 5 --json a.json --plots b --quick";

    assertThat(Setting.of(List.of(line.split(" ", -1))))
        .isEqualTo(
            new Setting(
                Database.H2,
                List.of("raw", "outbox"),
                Map.of("batch", "100", "relays", "2"),
                5,
                true,
                Path.of("a.json"),
                Path.of("b")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ':',
      value = {
        "--db db2 : --db is db2, it must be one of [h2, mariadb, mysql, postgres]",
        "--db : --db has no value",
        "--rounds 0 : --rounds is 0, it must be a number from 1 to 9999",
        "--rounds many : --rounds is many, it must be a number from 1 to 9999",
        "--only batch : --only is batch, it must be like batch=1000,relays=1",
        "--fast : there is no option --fast"
      })
  void a_bad_option_is_named(String line, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Setting.of(List.of(line.split(" ", -1))))
        .withMessage(message);
  }

  @Test
  void an_unknown_workload_is_named() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Benchmarks.run(List.of("speed")))
        .withMessageStartingWith("workload is speed, it must be one of [");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Benchmarks.run(List.of()))
        .withMessageStartingWith("workload is none, it must be one of [");
  }

  @Test
  void an_unknown_contender_is_named() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Setting.of(List.of("--contenders", "raw,fast")).contendersOr())
        .withMessage(
            "contender is fast, it must be one of [business, raw, raw-rows, outbox, outbox-connection, outbox-4-lanes, outbox-apart, outbox-metered, outbox-carried, outbox-traced, outbox-only-sampled, outbox-rows]");
  }

  @Test
  void the_usual_contenders_run_when_none_is_named() {
    assertThat(Setting.of(List.of()).contendersOr("raw", "outbox"))
        .extracting(Contender::name)
        .containsExactly("raw", "outbox");
  }

  @Test
  void only_may_ask_for_a_number_of_its_own() {
    Setting setting = Setting.of(List.of("--only", "waiting=300000,batch=many"));

    assertThat(setting.numbers("waiting", List.of(1, 2), List.of(1))).containsExactly(300_000);
    assertThat(setting.numbers("relays", List.of(1, 2), List.of(1))).containsExactly(1, 2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> setting.numbers("batch", List.of(1), List.of(1)))
        .withMessage("--only batch is many, it must be a number from 1 to 999999999");
  }

  @Test
  void only_narrows_the_variants_and_may_not_leave_none() {
    List<Variant> all = List.of(Variant.NONE.with("batch", 1), Variant.NONE.with("batch", 2));

    assertThat(Setting.of(List.of("--only", "batch=2")).variants(all)).containsExactly(all.get(1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Setting.of(List.of("--only", "batch=3")).variants(all))
        .withMessage("only is {batch=3}, but there are [batch=1, batch=2]");
  }
}
