package dev.outbox.testkit.assertj;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.Snapshot;
import dev.outbox.spi.OutboxStore;
import java.util.List;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions on any store, by its ports: its dead letters, and whether something waits. What waits
 * can be seen in an in-memory store, or by a kit: {@link KitAssert}.
 *
 * <pre>{@code
 * assertThat(store).hasDeadLetter("orders.placed").withAttempts(3);
 * assertThat(store).hasNoDeadLetters().isDrained();
 * }</pre>
 */
public final class StoreAssert extends AbstractAssert<StoreAssert, OutboxStore> {
  private static final int MOST = 1000;

  StoreAssert(OutboxStore store) {
    super(store, StoreAssert.class);
  }

  /** There is a dead letter of this topic, among the first 1,000. */
  public DeadLettersAssert hasDeadLetter(String topic) {
    return new DeadLettersAssert(letters(), "dead letter")
        .as(descriptionText())
        .with("topic " + topic, letter -> letter.envelope().topic().equals(topic));
  }

  /** There is no dead letter. */
  public StoreAssert hasNoDeadLetters() {
    List<DeadLetter> letters = letters();
    if (!letters.isEmpty()) {
      failWithMessage("expected no dead letter, but there are%s", Listing.of(letters, Row::of));
    }
    return this;
  }

  /** Nothing is ready, parked or delayed. */
  public StoreAssert isDrained() {
    Snapshot snapshot = actual.snapshot(MOST);
    if (snapshot.ready() + snapshot.parked() + snapshot.delayed() > 0) {
      failWithMessage(
          "expected no waiting message, but (counted up to %s) there are %s ready, %s parked, %s delayed",
          MOST, snapshot.ready(), snapshot.parked(), snapshot.delayed());
    }
    return this;
  }

  private List<DeadLetter> letters() {
    return actual.deadLetters().page(Filter.all(), 0, MOST);
  }
}
