package dev.outbox.brokers.consume;

import dev.outbox.Inbox;
import javax.sql.DataSource;

/** A way to receive. */
interface Receiving {
  /** Receives until the process ends, or the broker or the database is lost. */
  void run(String address, DataSource dataSource, Inbox inbox) throws Exception;
}
