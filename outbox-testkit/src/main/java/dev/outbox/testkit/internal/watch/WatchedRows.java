package dev.outbox.testkit.internal.watch;

import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.settle.Fate;
import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.history.Fates;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Notebook;
import dev.outbox.testkit.history.Subject;
import dev.outbox.testkit.internal.intercept.InterceptedRows;
import dev.outbox.testkit.internal.intercept.StoreCall;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Claims by rows, each call a step; what was settled is noted.
 *
 * <p>Used by one thread.
 */
final class WatchedRows extends InterceptedRows {
  private final String who;
  private final Steps steps;
  private final Notebook notes;

  WatchedRows(String who, RowStore rows, Steps steps, Notebook notes) {
    super(rows);
    this.who = who;
    this.steps = steps;
    this.notes = notes;
  }

  @Override
  protected <T> T around(StoreCall call, Supplier<T> effect) {
    return switch (call) {
      case CLAIM_DUE -> steps.take(who, CrashPoint.CLAIM, "due", effect::get);
      case RELEASE -> steps.take(who, CrashPoint.RELEASE, "", effect::get);
      case PROMOTE -> steps.take(who, CrashPoint.PROMOTE, "", effect::get);
      case ASK -> {
        steps.requireAlive(who);
        yield effect.get();
      }
      // its own step below; the others are asked of lanes only
      case CLAIM, SETTLE, LOOK, READ, READ_DUE, SUSPECT -> effect.get();
    };
  }

  @Override
  public RowClaim claim(int atMost, Set<String> heldTopics) {
    return steps.take(
        who, CrashPoint.CLAIM, "at most " + atMost, () -> super.claim(atMost, heldTopics));
  }

  @Override
  public RelayRegistry registry() {
    return new WatchedLanes.WatchedRegistry(who, super.registry(), steps);
  }

  /** A step. Closing the claim is none: a dead session rolls back just so. */
  @Override
  protected void settle(RowClaim claim, List<Fate> fates) {
    steps.run(who, CrashPoint.END_CLAIM, fates.size() + " fates", () -> written(claim, fates));
  }

  private void written(RowClaim claim, List<Fate> fates) {
    claim.settle(fates);
    for (Fate fate : fates) {
      Subject subject = Subject.of(fate.storedEnvelope().envelope());
      notes.of(NoteKind.SETTLED, who, subject, Fates.words(fate));
    }
  }
}
