package dev.outbox.testkit.crash;

import java.util.List;

/**
 * Something that is attempted until it is acknowledged, as a consumer is given a message again
 * until it has answered for it. Opened for one run, closed after it.
 *
 * <p>Used by one thread.
 */
public interface Undertaking extends AutoCloseable {
  /**
   * One attempt by {@code who}, over what {@link Steps#watch(String, javax.sql.DataSource)} has
   * watched: it returns when all is acknowledged.
   */
  void attempt(String who, Steps steps) throws Exception;

  /** What is wrong after all of it, in words; empty when nothing is. */
  List<String> wrongs() throws Exception;

  @Override
  void close();

  /** Opens undertakings, each with empty tables. */
  interface Opening {
    Undertaking open() throws Exception;
  }
}
