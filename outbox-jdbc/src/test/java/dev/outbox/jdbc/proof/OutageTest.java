package dev.outbox.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.jdbc.proof.Journals.Repeat;
import dev.outbox.jdbc.proof.Journals.Window;
import dev.outbox.servers.Database;
import dev.outbox.testkit.history.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A database that is down, full, or out of reach behind an exhausted pool, under load. */
@OneAtATime
class OutageTest {
  private static final Duration LEASE = Duration.ofSeconds(3);

  /** Where a lease must survive: long against the rests between attempts, and a busy machine. */
  private static final Duration LONG_LEASE = LEASE.multipliedBy(2);

  /** From the end of the fault to the next publish. */
  private static final Duration RECOVERY = LEASE.multipliedBy(4);

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int RESTARTS = Proof.size(1, 2, 5);

  /** Brings about one outage and returns when it lasted. */
  private interface Fault {
    Window happen() throws Exception;
  }

  @TestFactory
  Stream<DynamicTest> a_database_restarted_under_load_loses_nothing() {
    return Proof.together(
        Proof.ALL,
        (database, random) -> {
          try (Stage stage = Stage.byLanes(database)) {
            List<RelayProcess> relays = join(stage, "a", "b");
            suffer(stage, relays, RESTARTS, random, () -> restart(stage));
          }
        });
  }

  private static Window restart(Stage stage) {
    long begun = System.nanoTime();
    stage.sandbox().server().restart();
    return new Window(begun, System.nanoTime());
  }

  @TestFactory
  Stream<DynamicTest> an_exhausted_pool_or_a_full_disk_loses_nothing() {
    return Stream.concat(
        Proof.together("pool", Proof.ALL, OutageTest::withoutConnections),
        Proof.together("disk", Proof.SERVERS, OutageTest::withoutRoom));
  }

  private static void withoutConnections(Database database, Random random) throws Exception {
    try (Stage stage = Stage.byLanes(database)) {
      List<RelayProcess> relays = join(stage, "a");
      suffer(stage, relays, 1, random, () -> exhaustThePoolOf(relays.get(0), stage));
    }
  }

  /**
   * The application wants more connections than there are, and the relay loses its own: it is back
   * in the queue with all the others.
   */
  private static Window exhaustThePoolOf(RelayProcess relay, Stage stage) {
    long begun = System.nanoTime();
    relay.tell("hog " + LEASE.plusSeconds(4).toMillis());
    relay.awaitAnswer("hogging");
    Await.until(
        "the relay notices",
        LEASE.plusSeconds(3),
        () -> {
          stage.sandbox().terminateSessions();
          Await.pause(Duration.ofMillis(300));
          return isDown(stage, relay.label(), Long.MIN_VALUE);
        });
    relay.awaitAnswer("hogged");
    return new Window(begun, System.nanoTime());
  }

  private static void withoutRoom(Database database, Random random) throws Exception {
    try (Stage stage = Stage.byLanes(database)) {
      DiskSwitch disk = DiskSwitch.install(database, stage.pool());
      List<RelayProcess> relays = join(stage, LONG_LEASE, "a", "b");
      Aftermath aftermath =
          suffer(stage, relays, 1, random, () -> fill(disk, stage, labels(relays)));
      assertThat(aftermath.alarms()).noneMatch(OutageTest::isOfLostLanes);
      assertThat(stage.verdict(repeat -> repeat.again().at() < aftermath.begun()))
          .matches(Verdict::passes);
    }
  }

  /** Each relay has something to settle when the disk is full for writers too. */
  private static Window fill(DiskSwitch disk, Stage stage, List<String> relays) throws Exception {
    long begun = System.nanoTime();
    disk.nearlyFill();
    Await.until(
        "each relay notices",
        LONG_LEASE,
        () -> relays.stream().allMatch(relay -> isDown(stage, relay, begun)));
    disk.fill();
    Await.pause(LONG_LEASE.multipliedBy(2).plusSeconds(2));
    disk.empty();
    return new Window(begun, System.nanoTime());
  }

  private static boolean isDown(Stage stage, String relay, long since) {
    return stage
        .journals()
        .troubles(JournalingListener.DOWN)
        .anyMatch(note -> note.who().equals(relay) && note.at() > since);
  }

  private static List<RelayProcess> join(Stage stage, String... labels) {
    return join(stage, LEASE, labels);
  }

  private static List<RelayProcess> join(Stage stage, Duration lease, String... labels) {
    return stage
        .fleet()
        .join(
            Stream.of(labels)
                .map(label -> stage.terms(label).lease(lease, lease.dividedBy(3)))
                .toArray(RelayTerms[]::new));
  }

  /** When the first outage began, and what the relays logged since they were warm. */
  private record Aftermath(long begun, List<String> alarms) {}

  private static Aftermath suffer(
      Stage stage, List<RelayProcess> relays, int times, Random random, Fault fault)
      throws Exception {
    List<Window> faults = new ArrayList<>();
    Map<String, Integer> alarmsBefore;
    try (Writers writers =
        stage.writers(
            Writers.Plan.steady(3, Duration.ofMillis(Proof.size(40, 10, 10))),
            new KeyRing(200),
            Long.MAX_VALUE)) {
      writers.start(random);
      stage.awaitTraffic(PATIENCE, labels(relays));
      alarmsBefore = alarms(relays);
      for (int time = 0; time < times; time++) {
        stage.awaitTraffic(PATIENCE, labels(relays));
        Window window = fault.happen();
        faults.add(window);
        Duration recovery =
            Await.since(
                window.ended(),
                "a publish after the outage",
                RECOVERY,
                () -> !stage.journals().sharesSince(window.ended()).isEmpty());
        Proof.tell(
            "%s: down for %.1f s, the next publish %s later"
                .formatted(stage.database(), (window.ended() - window.begun()) / 1e9, recovery));
      }
      stage.awaitTraffic(PATIENCE, labels(relays));
      writers.finish();
    }
    stage.awaitDrained(PATIENCE);
    relays.forEach(RelayProcess::leave);
    judge(stage, faults);
    assertOneAlarmForEach(faults, relays, alarmsBefore);
    return new Aftermath(
        faults.get(0).begun(),
        relays.stream().flatMap(relay -> since(alarmsBefore, relay).stream()).toList());
  }

  private static List<String> labels(List<RelayProcess> relays) {
    return relays.stream().map(RelayProcess::label).toList();
  }

  /** How many alarms each relay has logged so far: a lease may have run out while all started. */
  private static Map<String, Integer> alarms(List<RelayProcess> relays) {
    return relays.stream()
        .collect(Collectors.toMap(RelayProcess::label, relay -> relay.alarms().size()));
  }

  private static void judge(Stage stage, List<Window> faults) throws Exception {
    long warm = faults.get(0).begun();
    Predicate<Repeat> explained =
        repeat ->
            repeat.again().at() < warm || faults.stream().anyMatch(fault -> fault.explains(repeat));
    assertThat(stage.verdict(explained)).matches(Verdict::passes);
    assertThat(stage.journals().troubles(JournalingListener.DIED)).isEmpty();
    assertThat(stage.journals().settled(1)).as("parked").isZero();
    stage.assertTablesAreEmpty();
  }

  /**
   * Once that the store is lost; and once, where it lasted longer than the lease, which lanes are.
   */
  private static void assertOneAlarmForEach(
      List<Window> faults, List<RelayProcess> relays, Map<String, Integer> before) {
    for (RelayProcess relay : relays) {
      List<String> after = since(before, relay);
      String when = "%s in %d outages".formatted(relay.label(), faults.size());
      assertThat(after.stream().filter(line -> line.contains("database unavailable")))
          .as("outages logged by %s, each at most once; a short one may pass unnoticed", when)
          .hasSizeBetween(1, faults.size());
      assertThat(after.stream().filter(line -> !line.contains("database unavailable")))
          .as("what else was logged by %s", when)
          .hasSizeLessThanOrEqualTo(faults.size())
          .allMatch(OutageTest::isOfLostLanes);
    }
  }

  private static List<String> since(Map<String, Integer> before, RelayProcess relay) {
    List<String> alarms = relay.alarms();
    return alarms.subList(before.get(relay.label()), alarms.size());
  }

  private static boolean isOfLostLanes(String alarm) {
    return alarm.contains("lost lanes ");
  }
}
