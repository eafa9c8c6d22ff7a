package dev.outbox.testkit.internal.watch;

import dev.outbox.Topics.Setting;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.history.Fates;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Notebook;
import dev.outbox.testkit.history.Subject;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Claims by rows, each call a step; what was settled is noted.
 *
 * <p>Used by one thread.
 */
final class WatchedRows implements RowStore {
  private final String who;
  private final RowStore rows;
  private final Steps steps;
  private final Notebook notes;

  WatchedRows(String who, RowStore rows, Steps steps, Notebook notes) {
    this.who = who;
    this.rows = rows;
    this.steps = steps;
    this.notes = notes;
  }

  @Override
  public RowClaim claim(int atMost, Set<String> heldTopics) {
    return steps.take(
        who,
        CrashPoint.CLAIM,
        "at most " + atMost,
        () -> new Claim(rows.claim(atMost, heldTopics)));
  }

  @Override
  public RowClaim claimDue(int atMost, Set<String> heldTopics) {
    return steps.take(
        who, CrashPoint.CLAIM, "due", () -> new Claim(rows.claimDue(atMost, heldTopics)));
  }

  @Override
  public int release(Set<String> heldTopics, int atMost) {
    return steps.take(who, CrashPoint.RELEASE, "", () -> rows.release(heldTopics, atMost));
  }

  @Override
  public Map<String, Setting> topics() {
    steps.requireAlive(who);
    return rows.topics();
  }

  @Override
  public RelayRegistry registry() {
    return new WatchedLanes.WatchedRegistry(who, rows.registry(), steps);
  }

  @Override
  public void abort() {
    rows.abort();
  }

  @Override
  public int promoteDue(int atMost) {
    return steps.take(who, CrashPoint.PROMOTE, "", () -> rows.promoteDue(atMost));
  }

  @Override
  public void close() {
    rows.close();
  }

  /** A claim whose settle is a step. Closing is none: a dead session rolls back just so. */
  private final class Claim implements RowClaim {
    private final RowClaim claim;

    Claim(RowClaim claim) {
      this.claim = claim;
    }

    @Override
    public List<StoredEnvelope> messages() {
      return claim.messages();
    }

    @Override
    public Connection transaction() {
      return claim.transaction();
    }

    @Override
    public void settle(List<Fate> fates) {
      steps.run(who, CrashPoint.END_CLAIM, fates.size() + " fates", () -> written(fates));
    }

    private void written(List<Fate> fates) {
      claim.settle(fates);
      for (Fate fate : fates) {
        Subject subject = Subject.of(fate.storedEnvelope().envelope());
        notes.of(NoteKind.SETTLED, who, subject, Fates.words(fate));
      }
    }

    @Override
    public void close() {
      claim.close();
    }
  }
}
