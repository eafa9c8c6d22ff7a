package dev.outbox.jdbc.internal.doctor.probe;

import dev.outbox.jdbc.internal.doctor.base.Check;
import java.util.List;

/**
 * What the doctor asks one database, in the order in which every database's probes are written.
 *
 * <p>Stateless. Texts name tables as a dialect's do; those of rights have the table as {@code
 * {table}} and one of its columns as {@code {column}}, touch no row, and are refused by the server
 * exactly when the right is missing.
 */
public interface Probes {
  // sessions

  /** Selects the server's number of this session as {@code session}. */
  String session();

  /**
   * Reads the limits of a session by the names and in the units of the dialect's; empty without.
   */
  String limits();

  /** Selects the database's clock as {@code millis} since 1970 in UTC. */
  String clock();

  // rights

  /** Selects who we are as {@code name}, in the form that a GRANT wants. */
  String user();

  String select();

  String insert();

  String update();

  String delete();

  /** Locks rows by SELECT. */
  String lock();

  // the rest

  /** What is asked of this database only. */
  List<Check> checks();

  /** What is asked where a log reader reads the tables instead of a relay. */
  List<Check> capture();
}
