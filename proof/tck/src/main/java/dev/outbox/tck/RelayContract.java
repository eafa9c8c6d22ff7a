package dev.outbox.tck;

import dev.outbox.tck.relay.operate.RelayOperateContract;
import dev.outbox.tck.relay.publish.PublishContract;
import dev.outbox.tck.relay.row.RowRelayContract;
import dev.outbox.tck.relay.thread.ThreadContract;
import org.junit.jupiter.api.Nested;

/**
 * What a relay must do over every store, proven with relays driven by hand, with stores and
 * publishers that fail at the worst moment, and with real threads. Extend it, say how to open an
 * empty store, and run it as a JUnit test.
 *
 * <p>Random cases print their seed; {@code -Doutbox.seed=...} repeats one.
 */
public abstract class RelayContract {
  /** For subclasses. */
  protected RelayContract() {}

  /** Opens an empty store laid out as {@code setting} says. The case closes it. */
  protected abstract StoreEnvironment open(StoreSetting setting) throws Exception;

  /** What is committed is published, and every answer has its effect. */
  @Nested
  class Publishing extends PublishContract {
    Publishing() {
      super(RelayContract.this::open);
    }
  }

  /** Relays come and go, and operators change what they do. */
  @Nested
  class In_operation extends RelayOperateContract {
    In_operation() {
      super(RelayContract.this::open);
    }
  }

  /** Relays over tables that are claimed by rows. */
  @Nested
  class By_rows extends RowRelayContract {
    By_rows() {
      super(RelayContract.this::open);
    }
  }

  /** Real relays on their own threads. */
  @Nested
  class With_threads extends ThreadContract {
    With_threads() {
      super(RelayContract.this::open);
    }
  }
}
