package dev.outbox.jdbc.internal.doctor.base;

import dev.outbox.OutboxException.Finding;
import java.sql.SQLException;
import java.util.List;

/** One look at a database; {@code what} is looked at, for the case that it cannot be seen. */
public record Check(String what, Look look) {
  /** Asks, and tells what is wrong; empty when all is well. */
  @FunctionalInterface
  public interface Look {
    List<Finding> at(ExaminedDatabase examinedDatabase) throws SQLException;
  }
}
