package dev.outbox.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import dev.outbox.testkit.history.Note;
import dev.outbox.testkit.history.NoteKind;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * A writer that keeps an enqueue uncommitted for several leases, with full traffic beside it. In
 * full size it takes longer than the grace, so that H2, which does not show open transactions,
 * finds its messages late; that takes its sweep most of a minute.
 */
@OneAtATime
class LongWriterTest {
  private static final Duration LEASE = Duration.ofSeconds(6);
  private static final Duration RENEWAL = Duration.ofSeconds(1);
  private static final Duration HOLD = Proof.seconds(14, 60);
  private static final Duration GRACE =
      Proof.isFull() ? Duration.ofSeconds(2) : HOLD.plusSeconds(5);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int HELD = 64;

  /** Who waits for the writer waits until it commits. */
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  @TestFactory
  Stream<DynamicTest> an_enqueue_held_open_keeps_no_settle_waiting_and_costs_no_lease() {
    return Proof.together(Proof.ALL, LongWriterTest::run);
  }

  private static void run(Database database, Random random) throws Exception {
    Writers.Plan traffic = Writers.Plan.steady(3, Duration.ofMillis(Proof.size(40, 2)));
    try (Stage stage = Stage.byLanes(database);
        RelayUnit a = RelayUnit.joined(terms(stage, "a"));
        RelayUnit b = RelayUnit.joined(terms(stage, "b"))) {
      long begun;
      try (Writers writers = stage.writers(traffic, new KeyRing(300), Long.MAX_VALUE);
          Connection held = stage.sandbox().open()) {
        writers.start(random);
        stage.awaitTraffic(PATIENCE, List.of("a", "b"));
        begun = System.nanoTime();
        enqueue(stage, held);
        long waits = countWaits(stage, held);
        tellRate(stage, begun);
        assertThat(waits).as("sessions seen waiting for the writer").isZero();
        held.commit();
      }
      stage.awaitDrained(PATIENCE);
      a.leave();
      b.leave();
      judge(stage, begun);
    }
  }

  private static RelayTerms terms(Stage stage, String label) {
    return stage.terms(label).lease(LEASE, RENEWAL).grace(GRACE);
  }

  /** Messages all over the lanes, between those of the others. */
  private static void enqueue(Stage stage, Connection held) throws Exception {
    held.setAutoCommit(false);
    List<Message> messages = new ArrayList<>();
    for (int number = 0; number < HELD; number++) {
      messages.add(Passage.message("held" + number, 1));
    }
    List<MessageId> ids = stage.outbox().enqueue(held, messages);
    List<Passage> passages = new ArrayList<>();
    for (int number = 0; number < HELD; number++) {
      passages.add(new Passage(ids.get(number).toString(), Passage.TOPIC, "held" + number, 1));
    }
    stage.ledger().write(held, passages);
  }

  /** Looks again and again, for as long as the writer holds its transaction. */
  private static long countWaits(Stage stage, Connection held) throws Exception {
    ServerEye eye = new ServerEye(stage.sandbox());
    long session = eye.session(held);
    long waits = 0;
    long begun = System.nanoTime();
    try (Connection admin = stage.sandbox().openAdmin()) {
      while (System.nanoTime() - begun < HOLD.toNanos()) {
        waits += eye.waitingFor(admin, session);
        Await.pause(BETWEEN_LOOKS);
      }
    }
    return waits;
  }

  private static void tellRate(Stage stage, long begun) {
    List<Note> ended =
        stage.journals().of(NoteKind.ARRIVED).filter(note -> note.at() > begun).toList();
    long last = begun;
    long longest = 0;
    for (Note note : ended) {
      longest = Math.max(longest, note.at() - last);
      last = note.at();
    }
    Proof.tell(
        "%s: %d messages published in %s beside a held enqueue, the longest silence %d ms"
            .formatted(stage.database(), ended.size(), HOLD, longest / 1_000_000));
    assertThat(Duration.ofNanos(longest)).as("longest silence").isLessThan(LEASE);
  }

  private static void judge(Stage stage, long begun) throws Exception {
    assertThat(stage.journals().troubles(JournalingListener.FOUND_LATE).findAny().isPresent())
        .as("messages found below the floor")
        .isEqualTo(Proof.isFull() && stage.database() == Database.H2_SERVER);
    stage.assertOnlyRepeated(Set.of(), begun, List.of("a", "b"));
  }
}
