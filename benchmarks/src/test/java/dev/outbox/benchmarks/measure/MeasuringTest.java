package dev.outbox.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.contender.Contenders;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasuringTest {
  private static final List<Contender> TWO =
      List.of(Contenders.named("raw", Database.H2), Contenders.named("outbox", Database.H2));

  @Test
  void a_median_is_the_middle_one_or_the_mean_of_the_two_in_the_middle() {
    assertThat(Samples.median(List.of(9.0, 1.0, 3.0))).isEqualTo(3);
    assertThat(Samples.median(List.of(9.0, 1.0, 3.0, 5.0))).isEqualTo(4);
    assertThatIllegalArgumentException().isThrownBy(() -> Samples.median(List.of()));
  }

  @Test
  void contenders_take_turns_and_the_warm_up_does_not_count() {
    List<String> order = new ArrayList<>();
    Iterator<Double> rates = List.of(1000.0, 1000.0, 1.0, 10.0, 30.0, 3.0, 2.0, 20.0).iterator();
    List<String> witnessed = new ArrayList<>();

    Map<Contender, Samples> samples =
        new Interleaved(TWO, 1, 3)
            .run(
                contender -> {
                  order.add(contender.name());
                  return new Measures().put("rate", "msg/s", rates.next());
                },
                (contender, round, measures) -> witnessed.add(contender.name() + round));

    assertThat(order)
        .containsExactly("outbox", "raw", "raw", "outbox", "outbox", "raw", "raw", "outbox");
    assertThat(witnessed).containsExactly("raw1", "outbox1", "outbox2", "raw2", "raw3", "outbox3");
    assertThat(samples.get(TWO.get(0)).median("rate")).isEqualTo(2);
    assertThat(samples.get(TWO.get(1)).of("rate")).containsExactly(10.0, 30.0, 20.0);
  }

  @Test
  void a_failed_run_ends_all_and_names_the_contender() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                new Interleaved(TWO, 1, 1)
                    .run(
                        contender -> {
                          throw new IllegalStateException("lost: 3 of 5");
                        },
                        (contender, round, measures) -> {}))
        .withMessage("outbox failed in a warm-up: lost: 3 of 5");
  }

  @Test
  void what_was_not_measured_is_named() {
    Samples samples = new Samples();
    samples.add(new Measures().put("rate", "msg/s", 1));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> samples.median("latency"))
        .withMessageStartingWith("latency was not measured, only [");
  }

  @Test
  void a_process_used_what_its_ended_children_used_too() {
    String stat = "12 (a (strange) name) S 1 1 1 0 -1 4194304 1 2 3 4 150 50 25 75 20 0 1 0";

    assertThat(Children.seconds(stat)).isEqualTo(3.0, within(1e-9));
  }

  @Test
  void round_trips_are_counted_under_a_pool() throws Exception {
    RoundTrips roundTrips = new RoundTrips();
    try (Sandbox sandbox = Database.H2.sandbox();
        HikariDataSource pool = Site.of(sandbox).counting(roundTrips).pool(1);
        Connection connection = pool.getConnection()) {
      long before = roundTrips.statements();
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE t (a INT)");
      }
      try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?)")) {
        for (int value = 0; value < 5; value++) {
          insert.setInt(1, value);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      connection.commit();

      assertThat(roundTrips.statements() - before).isEqualTo(2);
      assertThat(roundTrips.commits()).isEqualTo(1);
    }
  }
}
