package dev.outbox.jdbc.internal.doctor.base;

import dev.outbox.OutboxException.Finding;
import java.sql.SQLException;
import java.util.List;

/** One look at a database; {@code what} is looked at, for the case that it cannot be seen. */
public record Check(String what, Look look) {
  /** For whom there is nothing to ask. */
  public static final Look NOTHING = examinedDatabase -> List.of();

  /** One that looks otherwise where there are several clusters. */
  public Check(String what, Look alone, Look amongPeers) {
    this(
        what,
        examinedDatabase ->
            (examinedDatabase.layout().hasPeers() ? amongPeers : alone).at(examinedDatabase));
  }

  /** The same for a relay; of writers and operators nothing is asked. */
  public Check forRelays() {
    return new Check(
        what,
        examinedDatabase -> (examinedDatabase.isRelay() ? look : NOTHING).at(examinedDatabase));
  }

  /** Asks, and tells what is wrong; empty when all is well. */
  @FunctionalInterface
  public interface Look {
    List<Finding> at(ExaminedDatabase examinedDatabase) throws SQLException;
  }
}
