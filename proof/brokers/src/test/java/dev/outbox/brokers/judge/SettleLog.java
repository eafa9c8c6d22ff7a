package dev.outbox.brokers.judge;

import dev.outbox.spi.LaneStore;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.testkit.internal.intercept.InterceptedLanes;
import dev.outbox.testkit.internal.intercept.InterceptedStore;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A store that writes a line when the fates of messages are committed, so that it is known which
 * flights were over when something was killed. Thread-safe.
 */
public final class SettleLog extends InterceptedStore {
  static final String SETTLED = "settled";

  private final PrintStream out;

  public SettleLog(OutboxStore store, PrintStream out) {
    super(store);
    this.out = out;
  }

  @Override
  public LaneStore lanes(String owner, Duration lease) {
    return new InterceptedLanes(super.lanes(owner, lease)) {
      @Override
      public Map<Lane, SettleResult> settle(List<Settlement> settlements) {
        Map<Lane, SettleResult> settleResults = super.settle(settlements);
        String ids =
            settlements.stream()
                .filter(
                    each -> settleResults.get(each.lease().lane()) instanceof SettleResult.Settled)
                .flatMap(each -> each.fates().stream())
                .map(fate -> fate.storedEnvelope().envelope().id().toString())
                .collect(Collectors.joining(","));
        if (!ids.isEmpty()) {
          String now = String.valueOf(System.currentTimeMillis());
          out.println(String.join(" ", SETTLED, now, ids));
        }
        return settleResults;
      }
    };
  }
}
