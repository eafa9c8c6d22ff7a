package dev.outbox.jdbc.mistakes;

import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;

/**
 * A typical mistake of a user, in the words of a page, and how it is made.
 *
 * <p>Immutable.
 */
record Mistake(String words, Database database, Attempt attempt) {
  /** Makes the mistake; returns what the user is told. */
  interface Attempt {
    String in(Sandbox sandbox) throws Exception;
  }

  static Mistake on(Database database, String words, Attempt attempt) {
    return new Mistake(words, database, attempt);
  }

  @Override
  public String toString() {
    return words;
  }
}
