package dev.outbox.tck;

import dev.outbox.tck.store.append.AppendContract;
import dev.outbox.tck.store.claim.ClaimContract;
import dev.outbox.tck.store.operate.StoreOperateContract;
import dev.outbox.tck.store.row.RowContract;
import org.junit.jupiter.api.Nested;

/**
 * What every {@link dev.outbox.spi.OutboxStore} must do, proven with hostile cases and real
 * threads. Extend it, say how to open an empty store, and run it as a JUnit test:
 *
 * <pre>{@code
 * final class MyStoreTest extends OutboxStoreContract {
 *   @Override
 *   protected StoreEnvironment open(StoreSetting setting) {
 *     return new MyEnvironment(setting);
 *   }
 * }
 * }</pre>
 *
 * <p>Random cases print their seed; {@code -Doutbox.seed=...} repeats one.
 */
public abstract class OutboxStoreContract {
  /** For subclasses. */
  protected OutboxStoreContract() {}

  /** Opens an empty store laid out as {@code setting} says. The case closes it. */
  protected abstract StoreEnvironment open(StoreSetting setting) throws Exception;

  /** What applications write is kept as it was. */
  @Nested
  class Writing extends AppendContract {
    Writing() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** Messages are given out by lanes. */
  @Nested
  class By_lanes extends ClaimContract {
    By_lanes() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** Messages are given out by rows. */
  @Nested
  class By_rows extends RowContract {
    By_rows() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** Messages are kept for later and for operators. */
  @Nested
  class For_later extends StoreOperateContract {
    For_later() {
      super(OutboxStoreContract.this::open);
    }
  }
}
