package dev.outbox.cli.command;

import dev.outbox.Snapshot;
import dev.outbox.StoreException;
import dev.outbox.cli.text.Printer;
import dev.outbox.console.look.Looker;
import dev.outbox.spi.OutboxStore;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Whether the name of a topic may be misspelt: nobody has seen it. */
final class Spelling {
  private static final int MOST_NAMES = 20;

  private Spelling() {}

  /**
   * A doubt, or nothing: a message has the topic, or there are more messages than are counted, or
   * the user may not look.
   */
  static Optional<String> doubt(OutboxStore store, String topic) {
    Snapshot snapshot;
    try {
      snapshot = store.snapshot(Looker.BOUND);
    } catch (StoreException e) { // the change itself says what is wrong, if it is
      return Optional.empty();
    }
    if (snapshot.topics().containsKey(topic) || !isWhole(snapshot)) {
      return Optional.empty();
    }
    String others =
        snapshot.topics().keySet().stream()
            .limit(MOST_NAMES)
            .map(Printer::inLine)
            .collect(Collectors.joining(", "));
    return Optional.of(
        "topic %s has no message and no setting; check its spelling. There are messages of %s"
            .formatted(Printer.inLine(topic), others.isEmpty() ? "no topic" : others));
  }

  private static boolean isWhole(Snapshot snapshot) {
    return LongStream.of(snapshot.ready(), snapshot.parked(), snapshot.delayed(), snapshot.dead())
        .allMatch(count -> count < Looker.BOUND);
  }
}
