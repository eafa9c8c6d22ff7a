package dev.outbox.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.servers.Database;
import dev.outbox.testkit.history.NoteKind;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * A relay that is stopped in mid-publish for longer than its lease, and then goes on.
 *
 * <p>On H2, which has no limit for a session that waits, it is stopped where it holds no lock: in
 * mid-settle it would keep its lanes for as long as it is stopped.
 */
@OneAtATime
class StoppedRelayTest {
  private static final Duration LEASE = Proof.seconds(3, 6);
  private static final Duration RENEWAL = LEASE.dividedBy(3);
  private static final Duration TAKEOVER = LEASE.plusSeconds(1);
  private static final Duration MARGIN = Duration.ofMillis(Proof.size(6000, 750));
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int ROUNDS = Proof.size(1, 5);
  private static final Map<String, Integer> HALVES = Map.of("zombie", 16, "other", 16);

  /** Flights that were stopped between the look at their lease and the line in the journal. */
  private static final Duration BOARDING = Duration.ofMillis(100);

  @TestFactory
  Stream<DynamicTest> a_relay_stopped_in_mid_publish_repeats_only_what_it_had_in_flight() {
    return Proof.together(Proof.ALL, StoppedRelayTest::run);
  }

  private static void run(Database database, Random random) throws Exception {
    try (Stage stage = Stage.byLanes(database);
        Writers writers =
            stage.writers(
                Writers.Plan.steady(3, Duration.ofMillis(Proof.size(40, 20, 20))),
                new KeyRing(200),
                Long.MAX_VALUE)) {
      RelayTerms steady = terms(stage, "other").lease(Duration.ofSeconds(15), RENEWAL);
      List<RelayProcess> relays = stage.fleet().join(terms(stage, "zombie"), steady);
      RelayProcess zombie = relays.get(0);
      writers.start(random);
      stage.awaitTraffic(PATIENCE, List.of("zombie", "other"));
      long warm = System.nanoTime();
      Set<String> inFlight = new HashSet<>();
      for (int round = 0; round < ROUNDS; round++) {
        stage.awaitLanes(PATIENCE, HALVES);
        inFlight.addAll(stopForLongerThanItsLease(stage, zombie));
      }
      stage.awaitLanes(PATIENCE, HALVES);
      writers.finish();
      stage.awaitDrained(PATIENCE);
      relays.forEach(RelayProcess::leave);
      judge(stage, inFlight, warm);
    }
  }

  private static RelayTerms terms(Stage stage, String label) {
    return stage.terms(label).lease(LEASE, RENEWAL).perMessage(Duration.ofMillis(10));
  }

  /** Returns what the relay had in flight when it was stopped. */
  private static Set<String> stopForLongerThanItsLease(Stage stage, RelayProcess zombie)
      throws Exception {
    long stopped = stopInMidPublish(stage, zombie);
    Set<String> ready = stage.ready();
    Set<String> inFlight = new HashSet<>(stage.inFlight(zombie.label(), ready));
    Duration takeover =
        Await.since(
            stopped,
            "takeover",
            TAKEOVER.plus(MARGIN),
            () -> !stage.lanes().containsKey(zombie.label()));
    Proof.tell(
        "%s: %d messages in flight, lanes taken over within %s of a lease of %s"
            .formatted(stage.database(), inFlight.size(), takeover, LEASE));
    stage.awaitSettled(inFlight, PATIENCE);
    long fencedBefore = stage.journals().of(NoteKind.FENCED, zombie.label()).count();
    zombie.resume();
    long resumed = System.nanoTime();
    Await.until(
        "the zombie learns that it was fenced",
        PATIENCE,
        () -> stage.journals().of(NoteKind.FENCED, zombie.label()).count() > fencedBefore);
    inFlight.addAll(stage.inFlight(zombie.label(), ready, resumed + BOARDING.toNanos()));
    return inFlight;
  }

  /** Returns the moment since which it stands still. */
  private static long stopInMidPublish(Stage stage, RelayProcess zombie) {
    AtomicLong stopped = new AtomicLong();
    Await.until(
        "stopped in mid-publish",
        PATIENCE,
        () -> {
          zombie.stop();
          stopped.set(System.nanoTime());
          boolean fit =
              !stage.journals().inMidPublish(zombie.label()).isEmpty()
                  && (stage.database() != Database.H2_SERVER || stage.freeLanes() == Stage.LANES);
          if (!fit) {
            zombie.resume();
          }
          return fit;
        });
    return stopped.get();
  }

  private static void judge(Stage stage, Set<String> inFlight, long warm) throws Exception {
    stage.assertOnlyRepeated(inFlight, warm, List.of("other"));
    assertThat(stage.journals().settled(0))
        .as("settled by all relays")
        .isEqualTo(stage.ledger().committed().size());
  }
}
