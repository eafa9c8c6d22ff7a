package dev.outbox.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.servers.Database;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Writers that commit up to five seconds after their enqueue, among others that do at once. */
@OneAtATime
class LateCommitTest {
  private static final Duration LATEST = Duration.ofSeconds(5);

  /**
   * Where the database does not show open transactions, longer than anybody holds a transaction.
   */
  private static final Duration GRACE = LATEST.plusSeconds(3);

  private static final Duration TRAFFIC = Proof.seconds(7, 60);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TestFactory
  Stream<DynamicTest> late_commits_among_early_ones_lose_nothing_and_keep_the_order() {
    return Proof.together(Proof.ALL, LateCommitTest::run);
  }

  private static RelayTerms terms(Stage stage, String label) {
    return stage.terms(label).grace(GRACE).lease(Duration.ofSeconds(15), Duration.ofSeconds(1));
  }

  private static void run(Database database, Random random) throws Exception {
    KeyRing keys = new KeyRing(300);
    Writers.Plan early = Writers.Plan.steady(2, Duration.ofMillis(Proof.size(40, 5)));
    Writers.Plan late = Writers.Plan.steady(10, Duration.ZERO).holding(100, LATEST);
    try (Stage stage = Stage.byLanes(database);
        RelayUnit a = RelayUnit.joined(terms(stage, "a"));
        RelayUnit b = RelayUnit.joined(terms(stage, "b"))) {
      long warm;
      try (Writers quick = stage.writers(early, keys, Long.MAX_VALUE).start(random);
          Writers slow = stage.writers(late, keys, Long.MAX_VALUE).start(random)) {
        stage.awaitTraffic(PATIENCE, List.of("a", "b"));
        warm = System.nanoTime();
        Await.pause(TRAFFIC);
        Proof.tell(
            "%s: %d messages committed at once, %d up to %s after their enqueue"
                .formatted(database, quick.written(), slow.written(), LATEST));
        assertThat(slow.written()).isPositive();
      }
      stage.awaitDrained(PATIENCE);
      a.leave();
      b.leave();

      assertThat(stage.journals().troubles(JournalingListener.FOUND_LATE)).isEmpty();
      stage.assertOnlyRepeated(Set.of(), warm, List.of("a", "b"));
    }
  }
}
