package dev.outbox.benchmarks.contender;

import dev.outbox.benchmarks.measure.Site;
import dev.outbox.servers.Database;

/**
 * A way to get messages from an application's transaction to a publisher.
 *
 * <p>Stateless: what it makes lives in the database and in its {@link Installation}.
 */
public interface Contender {
  String name();

  boolean runsOn(Database database);

  /** How it is set for {@code tuning}, in one line, for the record. */
  String settings(Tuning tuning);

  /** How many messages it gets through in bearable time; the others are measured with more. */
  default int most() {
    return Integer.MAX_VALUE;
  }

  /** How many relays of it one process can have. */
  default int mostRelays() {
    return Integer.MAX_VALUE;
  }

  /** The table in which its messages wait. */
  default String table() {
    return "outbox";
  }

  /** Makes its tables in an empty database. */
  void create(Site site) throws Exception;

  /** Opens what it needs over the tables that {@link #create} made. */
  Installation open(Site site) throws Exception;
}
