package dev.outbox.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.contender.Contenders;
import dev.outbox.benchmarks.contender.Installation;
import dev.outbox.benchmarks.contender.Sink;
import dev.outbox.benchmarks.contender.Tuning;
import dev.outbox.benchmarks.measure.Crew;
import dev.outbox.benchmarks.measure.Measures;
import dev.outbox.benchmarks.measure.Site;
import dev.outbox.benchmarks.measure.Times;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.servers.Database;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program at its smallest, on a real database. */
class RealRunTest {
  private static final Setting H2 =
      Setting.of(
          List.of(
              "--db",
              "h2",
              "--quick",
              "--only",
              "waiting=2000,batch=500,relays=1",
              "--contenders",
              "raw,outbox"));

  @Test
  void a_drain_ends_with_its_ratios() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    Report report = new Report(new PrintStream(out, true, StandardCharsets.UTF_8), "drain", "h2");

    new Drain().run(H2, report);
    report.tellCompared();

    List<String> said = out.toString(StandardCharsets.UTF_8).lines().toList();
    List<String> ratios = said.stream().filter(line -> line.startsWith("ratio ")).toList();
    assertThat(said).endsWith(ratios.toArray(String[]::new));
    assertThat(ratios.get(0))
        .matches("ratio drain h2 outbox/raw [0-9.]+  \\(waiting=2000 batch=500 relays=1\\)");
    assertThat(ratios)
        .anyMatch(line -> line.startsWith("ratio drain h2 rate from start to close outbox/raw "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"raw", "raw-rows", "outbox", "outbox-connection", "outbox-4-lanes", "outbox-rows"})
  void what_writers_write_while_it_runs_arrives_once_and_in_time(String name) throws Exception {
    assertArrivesOnceAndInTime(H2, name);
  }

  @Test
  void a_relay_in_a_process_of_its_own_gets_what_writers_write_here() throws Exception {
    assertArrivesOnceAndInTime(Setting.of(List.of("--quick")), "outbox-apart");
  }

  private static void assertArrivesOnceAndInTime(Setting setting, String name) throws Exception {
    Contender contender = Contenders.named(name, setting.database());
    Times commits = new Times(100);
    Times arrivals = new Times(100);
    Sink sink = Sink.working(number -> arrivals.note(number, System.nanoTime()));
    Measures measures = new Measures();

    Running.play(
        setting,
        contender,
        Tuning.USUAL,
        sink,
        measures,
        (site, installation) -> {
          Crew.Written written =
              new Crew(installation, 2, commits::note).paced(200, Duration.ofMillis(500));
          return written.messages();
        });

    assertThat(sink.arrived()).isEqualTo(100);
    assertThat(measures.quantities()).extracting(Measures.Quantity::name).contains("JVM CPU");
    assertThat(Times.between(commits, arrivals, 0, 100).millis(0.5)).isLessThan(30_000);
  }

  @Test
  void a_contender_that_publishes_a_message_twice_fails() {
    assertThatIllegalStateException()
        .isThrownBy(() -> play(7, 0))
        .withMessage("repeated: 1 messages arrived again, the first is number 7");
  }

  @Test
  void a_contender_that_leaves_a_message_in_its_tables_fails() {
    assertThatIllegalStateException()
        .isThrownBy(() -> play(-1, 1))
        .withMessage("1 messages still wait after all were published");
  }

  private static void play(long again, long left) throws Exception {
    Running.play(
        H2,
        new Careless(Contenders.named("raw-rows", Database.H2), again, left),
        Tuning.USUAL,
        Sink.counting(),
        new Measures(),
        (site, installation) -> {
          installation.fill(0, 100);
          return 100;
        });
  }

  /** Publishes message {@code again} twice, and leaves that many in its tables. */
  private record Careless(Contender careful, long again, long left) implements Contender {
    @Override
    public String name() {
      return "careless";
    }

    @Override
    public boolean runsOn(Database database) {
      return true;
    }

    @Override
    public String settings(Tuning tuning) {
      return "twice";
    }

    @Override
    public void create(Site site) throws Exception {
      careful.create(site);
    }

    @Override
    public Installation open(Site site) throws Exception {
      Installation installation = careful.open(site);
      return new Installation() {
        @Override
        public void fill(long from, int count) throws Exception {
          installation.fill(from, count);
        }

        @Override
        public Writer writer() throws Exception {
          return installation.writer();
        }

        @Override
        public Movement start(Tuning tuning, Sink sink) throws Exception {
          return installation.start(
              tuning,
              Sink.working(
                  number -> {
                    sink.accept(number);
                    if (number == again) {
                      sink.accept(number);
                    }
                  }));
        }

        @Override
        public long waiting() throws Exception {
          return installation.waiting() + left;
        }

        @Override
        public void close() throws SQLException {
          installation.close();
        }
      };
    }
  }
}
