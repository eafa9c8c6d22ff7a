package dev.outbox.internal.relay.batch;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a flight is taken by: the keys held in the lane, and how much may fly together.
 *
 * <p>Immutable.
 */
public record FlightTerms(
    Set<HeldKey> held, Ordering ordering, int most, Unfit unfit, Ticker.Moment now) {

  /** Messages that must not be published, though nothing is wrong with how they are stored. */
  public interface Unfit {
    @Nullable Fate fate(StoredEnvelope message);
  }
}
