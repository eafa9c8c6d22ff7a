package dev.outbox.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.servers.Database;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Four relays in four JVMs that join and leave gracefully all the time. */
@OneAtATime
class ManyRelaysTest {
  private static final List<String> LABELS = List.of("a", "b", "c", "d");
  private static final int MESSAGES = Proof.size(2_000, 8_000, 100_000);
  private static final int WHILE_CHANGING = MESSAGES * 6 / 10;
  private static final int LEAST_CHANGES = Proof.size(4, 6, 20);
  private static final int KEYS = 1_000;

  /** Of few messages, whose transactions have few keys, a relay's lanes may get much less. */
  private static final int LEAST_PERCENT = Proof.size(5, 15, 15);

  private static final Duration LEASE = Duration.ofSeconds(6);
  private static final Duration RENEWAL = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TestFactory
  Stream<DynamicTest> relays_that_join_and_leave_publish_all_once_in_order_and_share_the_work() {
    return Proof.apart(Proof.ALL, ManyRelaysTest::run);
  }

  private static void run(Database database, Random random) throws Exception {
    try (Stage stage = Stage.byLanes(database)) {
      List<RelayProcess> relays =
          stage
              .fleet()
              .join(LABELS.stream().map(label -> terms(stage, label)).toArray(RelayTerms[]::new));
      KeyRing keys = new KeyRing(KEYS);
      change(stage, relays, keys, random);
      shareFairly(stage, keys, random);
      relays.forEach(RelayProcess::leave);

      assertThat(stage.lanes()).as("lanes of relays that have left").isEmpty();
      Journals journals = stage.journals();
      assertThat(stage.verdict(repeat -> false)).matches(Verdict::passes);
      assertThat(journals.of(NoteKind.FENCED)).isEmpty();
      assertThat(journals.troubles(JournalingListener.DOWN)).isEmpty();
      assertThat(journals.troubles(JournalingListener.IGNORED)).isEmpty();
      assertThat(journals.settled(3)).as("settled rows that were missing").isZero();
      stage.assertTablesAreEmpty();
    }
  }

  private static RelayTerms terms(Stage stage, String label) {
    return stage.terms(label).lease(LEASE, RENEWAL).perMessage(Duration.ofMillis(1));
  }

  /** Relays leave and join, one after the other, for as long as messages are written. */
  private static void change(Stage stage, List<RelayProcess> relays, KeyRing keys, Random random)
      throws Exception {
    int changes = 0;
    Duration longest = Duration.ZERO;
    long begun = System.nanoTime();
    try (Writers writers = stage.writers(Writers.Plan.fast(4), keys, WHILE_CHANGING)) {
      writers.start(random);
      while (writers.written() < WHILE_CHANGING
          || stage.count("outbox") > 0
          || changes < LEAST_CHANGES) {
        RelayProcess relay = relays.get(random.nextInt(relays.size()));
        Duration left = relay.leave();
        longest = left.compareTo(longest) > 0 ? left : longest;
        relay.join();
        changes++;
      }
      assertThat(writers.failures()).isZero();
    }
    Proof.tell(
        "%s: %d messages in %.1f s while relays left and joined %d times, the longest close took %s"
            .formatted(
                stage.database(),
                WHILE_CHANGING,
                (System.nanoTime() - begun) / 1e9,
                changes,
                longest));
  }

  private static void shareFairly(Stage stage, KeyRing keys, Random random) throws Exception {
    Map<String, Integer> share = Map.of("a", 8, "b", 8, "c", 8, "d", 8);
    Duration balanced = stage.awaitLanes(RENEWAL.multipliedBy(4), share);
    long begun = System.nanoTime();
    try (Writers writers = stage.writers(Writers.Plan.fast(4), keys, MESSAGES - WHILE_CHANGING)) {
      writers.start(random).await(PATIENCE);
    }
    stage.awaitDrained(PATIENCE);
    assertThat(stage.lanes()).isEqualTo(share);

    Map<String, Long> published = stage.journals().sharesSince(begun);
    Proof.tell(
        "%s: lanes in equal shares %s after the last join, then %s in %.1f s"
            .formatted(stage.database(), balanced, published, (System.nanoTime() - begun) / 1e9));
    long all = published.values().stream().mapToLong(Long::longValue).sum();
    assertThat(published).containsOnlyKeys(LABELS);
    assertThat(published.values()).allMatch(part -> part * 100 >= all * LEAST_PERCENT);
  }
}
