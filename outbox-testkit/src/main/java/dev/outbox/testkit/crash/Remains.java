package dev.outbox.testkit.crash;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.Snapshot;
import dev.outbox.message.MessageId;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.history.History;
import dev.outbox.testkit.history.Leftovers;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Subject;
import dev.outbox.testkit.internal.watch.RefusedCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is left in the store at the end of a run, and what of it should not be there. Only what the
 * play refused for good may be dead.
 *
 * <p>Used by one thread.
 */
final class Remains {
  private static final long BOUND = 1000;

  private final OutboxStore store;
  private final History history;
  private final RefusedCalls refusedCalls;

  Remains(OutboxStore store, History history, RefusedCalls refusedCalls) {
    this.store = store;
    this.history = history;
    this.refusedCalls = refusedCalls;
  }

  /** Nothing waits any more. */
  boolean areDrained() {
    return isDrained(store.snapshot(BOUND));
  }

  private static boolean isDrained(Snapshot left) {
    return left.ready() == 0 && left.parked() == 0 && left.delayed() == 0;
  }

  /** What is left, when that many relays could not be closed. */
  Leftovers of(int openRelays, TestWorld testWorld) throws Exception {
    Snapshot left = store.snapshot(BOUND);
    List<DeadLetter> dead = store.deadLetters().page(Filter.all(), 0, (int) BOUND);
    Set<MessageId> ended =
        dead.stream().map(letter -> letter.envelope().id()).collect(Collectors.toSet());
    List<String> leftOver = new ArrayList<>();
    if (openRelays > 0) {
      leftOver.add(openRelays + " relays that could not be closed");
    }
    leftOver.addAll(waiting(left));
    leftOver.addAll(unexpected(dead));
    leftOver.addAll(testWorld.flaws(due(ended)));
    return new Leftovers(ended, leftOver);
  }

  private static List<String> waiting(Snapshot left) {
    List<String> leftOver = new ArrayList<>();
    if (!isDrained(left)) {
      leftOver.add(
          "%d ready, %d parked and %d delayed messages"
              .formatted(left.ready(), left.parked(), left.delayed()));
    }
    left.lanes().stream()
        .filter(lane -> lane.owner() != null)
        .forEach(
            lane -> leftOver.add("lane %s is leased by %s".formatted(lane.lane(), lane.owner())));
    return leftOver;
  }

  private List<String> unexpected(List<DeadLetter> dead) {
    return dead.stream()
        .filter(letter -> !refusedCalls.isForGood(letter.envelope()))
        .map(
            letter ->
                "dead letter %s %s: %s"
                    .formatted(letter.reason(), letter.envelope().id(), letter.error()))
        .toList();
  }

  private Set<MessageId> due(Set<MessageId> dead) {
    return history
        .notes(NoteKind.COMMITTED)
        .flatMap(note -> Stream.ofNullable(note.subject()))
        .map(Subject::id)
        .filter(id -> !dead.contains(id))
        .collect(Collectors.toSet());
  }
}
