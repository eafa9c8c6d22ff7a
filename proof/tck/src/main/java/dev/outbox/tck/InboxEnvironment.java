package dev.outbox.tck;

import dev.outbox.spi.ReceiptStore;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Empty receipts, opened for one case of the contract, with what the case needs around them.
 *
 * <p>Used from several threads at a time.
 */
public interface InboxEnvironment extends AutoCloseable {
  ReceiptStore receipts();

  /** Connections for consumers' transactions, at least 16 at a time. */
  DataSource consumers();

  /**
   * Lets time pass: as if all receipts had been written that much earlier. Whole seconds; less than
   * zero prolongs them.
   */
  void passTime(Duration step) throws Exception;

  /** How many deadlocks the server has reported so far. */
  default long deadlocks() throws Exception {
    return 0;
  }

  @Override
  void close();
}
