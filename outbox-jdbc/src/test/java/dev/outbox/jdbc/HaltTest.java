package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.SettableClock;
import dev.outbox.testkit.crash.CrashFault;
import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.Step;
import dev.outbox.testkit.crash.StepFault;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.history.Journal;
import dev.outbox.testkit.history.Leftovers;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Subject;
import dev.outbox.testkit.history.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A JVM that halts at a step, and the relay that comes after it. */
@LooksAtWriters
class HaltTest {
  private static final int KILLED = 137;
  private static final int MESSAGES = 12;

  @TempDir private Path folder;

  static Stream<Arguments> halts() {
    return Stream.of(Database.POSTGRES, Database.MYSQL, Database.MARIADB)
        .flatMap(
            database ->
                Stream.of(
                    Arguments.of(database, CrashPoint.CLAIM, Step.Side.AFTER),
                    Arguments.of(database, CrashPoint.ANSWER, Step.Side.BEFORE),
                    Arguments.of(database, CrashPoint.SETTLE, Step.Side.BEFORE),
                    Arguments.of(database, CrashPoint.SETTLE, Step.Side.AFTER)))
        .filter(halt -> SomeSteps.areAll() || halt.get()[0] == Database.POSTGRES || isSettle(halt));
  }

  private static boolean isSettle(Arguments halt) {
    return halt.get()[1] == CrashPoint.SETTLE;
  }

  @ParameterizedTest
  @MethodSource("halts")
  void what_a_halted_jvm_had_in_flight_is_published_again_and_nothing_else(
      Database database, CrashPoint point, Step.Side side) throws Exception {
    try (Sandbox sandbox = database.sandbox();
        Journal journal = Journal.open(folder, "main")) {
      DataSource dataSource = sandbox.dataSource();
      Schema.builder(dataSource).lanes(4).create();
      write(dataSource, journal);

      assertThat(halt(sandbox, point, side)).isEqualTo(KILLED);
      journal.of(NoteKind.FAULT, "first", "halted " + side + " " + point);
      outwait(dataSource);
      try (ManualRelay second = relay("second", dataSource, Steps.Interruption.NONE, journal)) {
        second.drainNow();
      }

      Verdict verdict = Journal.read(folder).judge(Leftovers.NOTHING);
      assertThat(verdict.violations()).isEmpty();
      boolean nothingInFlight =
          point == CrashPoint.CLAIM || (point == CrashPoint.SETTLE && side == Step.Side.AFTER);
      assertThat(verdict.repeats() > 0).isNotEqualTo(nothingInFlight);
    }
  }

  private void write(DataSource dataSource, Journal journal) throws Exception {
    Steps steps = new Steps(Steps.Interruption.NONE, journal);
    Outbox outbox = Outbox.create(steps.watch("writer", JdbcStore.create(dataSource)));
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      outbox.enqueue(
          connection,
          IntStream.range(0, MESSAGES)
              .mapToObj(i -> Message.to("orders").key("k" + i % 3).text("m" + i))
              .toList());
      connection.commit();
    }
    Journal.read(folder)
        .notes(NoteKind.ENQUEUED)
        .forEach(note -> journal.write(NoteKind.COMMITTED, "writer", note.subject(), null, ""));
  }

  /** As if the time of the halted relay had passed. */
  private static void outwait(DataSource dataSource) throws Exception {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("UPDATE outbox_lane SET owner = NULL, lease_until = NULL");
      statement.executeUpdate("DELETE FROM outbox_relay");
    }
  }

  private int halt(Sandbox sandbox, CrashPoint point, Step.Side side)
      throws IOException, InterruptedException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-cp",
            System.getProperty("java.class.path"),
            HaltTest.class.getName(),
            sandbox.url(),
            sandbox.user(),
            sandbox.password(),
            folder.toString(),
            point.name(),
            side.name());
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it halts").isTrue();
    return process.exitValue();
  }

  /** The relay that halts. */
  public static void main(String[] arguments) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(arguments[0]);
    config.setUsername(arguments[1]);
    config.setPassword(arguments[2]);
    StepFault stepFault =
        StepFault.atFirst(
            CrashFault.HALT, CrashPoint.valueOf(arguments[4]), Step.Side.valueOf(arguments[5]));
    try (HikariDataSource pool = new HikariDataSource(config);
        Journal journal = Journal.open(Path.of(arguments[3]), "first");
        ManualRelay relay = relay("first", pool, stepFault, journal)) {
      relay.drainNow();
    }
  }

  private static ManualRelay relay(
      String name, DataSource dataSource, Steps.Interruption interruption, Journal journal) {
    Steps steps = new Steps(interruption, journal);
    Publisher broker =
        Publisher.blocking(
            (Envelope envelope) ->
                journal.of(NoteKind.ARRIVED, "broker", Subject.of(envelope), ""));
    return ManualRelay.builder(
            steps.watch(name, JdbcStore.create(dataSource)), steps.watch(name, broker))
        .name(name)
        .clock(SettableClock.create())
        .lease(Duration.ofMinutes(2), Duration.ofSeconds(30))
        .build();
  }
}
