package dev.outbox.internal.relay.cluster;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.spi.cluster.ClusterStore.Extent;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Up to where messages have stood for a while in a lane of a cluster that is silent.
 *
 * <p>Used by one thread.
 */
/*
 * What comes of a silent cluster shows that its stream flows again, and its next sign of life is behind it. Taken over at once
 * it would be published twice, because the cluster lives, or has lived for longer than was known. So it is left until the sign
 * has had half the time between two beats to come. One that comes refuses the takeover.
 */
final class StableExtent {
  private Extent stood = Extent.NOTHING;
  private Extent seen = Extent.NOTHING;
  private Ticker.@Nullable Moment seenAt;

  /** What stood there {@code least} ago or longer; {@code there} tells what does now. */
  Extent upTo(Duration least, Supplier<Extent> there, Ticker.Moment now) {
    Ticker.Moment before = seenAt;
    if (before == null || now.surelySince(before).compareTo(least) >= 0) {
      stood = seen;
      seen = there.get();
      seenAt = now;
    }
    return stood;
  }
}
