package dev.outbox.testkit.internal.watch;

import dev.outbox.spi.DedupeStore;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Notebook;
import dev.outbox.testkit.history.Subject;
import dev.outbox.testkit.internal.intercept.InterceptedStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;

/** A store each of whose working calls is a step and is noted. Safe for use by many threads. */
public final class WatchedStore extends InterceptedStore {
  private final String who;
  private final Steps steps;
  private final Notebook notes;

  public WatchedStore(String who, OutboxStore store, Steps steps, Notebook notes) {
    super(store);
    this.who = who;
    this.steps = steps;
    this.notes = notes;
  }

  @Override
  public void append(Connection transaction, List<NewEnvelope> messages) {
    String detail = messages.size() + " messages";
    steps.run(
        who,
        CrashPoint.INSERT,
        detail,
        () -> {
          super.append(transaction, messages);
          messages.forEach(this::enqueued);
        });
  }

  /** A delayed message takes its place in its key when it falls due, whatever was written later. */
  private void enqueued(NewEnvelope newEnvelope) {
    Subject subject = Subject.of(newEnvelope.envelope());
    notes.of(NoteKind.ENQUEUED, who, newEnvelope.due() == null ? subject : subject.unordered(), "");
  }

  @Override
  public DedupeStore dedupe() {
    return new WatchedDedupe(who, super.dedupe(), steps);
  }

  @Override
  public LaneStore lanes(String owner, Duration lease) {
    return new WatchedLanes(who, super.lanes(owner, lease), steps, notes);
  }

  @Override
  public RowStore rows(Duration longestClaim) {
    return new WatchedRows(who, super.rows(longestClaim), steps, notes);
  }
}
