package dev.outbox.benchmarks.workload;

import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.contender.Installation;
import dev.outbox.benchmarks.contender.Installation.Held;
import dev.outbox.benchmarks.measure.Site;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.function.LongSupplier;

/** An old transaction that stays open beside the load. */
enum OpenTransaction {
  NONE {
    @Override
    Held open(Site site, Contender contender, Installation installation, LongSupplier numbers) {
      return () -> {};
    }
  },
  /** Has read, at REPEATABLE READ: dead rows cannot be removed. */
  SNAPSHOT {
    @Override
    Held open(Site site, Contender contender, Installation installation, LongSupplier numbers)
        throws SQLException {
      Connection connection = site.open();
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      execute(connection, "SELECT COUNT(*) FROM " + contender.table());
      return rollingBack(connection);
    }
  },
  /** Has written to another table and idles. */
  WRITER {
    @Override
    Held open(Site site, Contender contender, Installation installation, LongSupplier numbers)
        throws SQLException {
      site.execute("CREATE TABLE elsewhere (id INT)");
      Connection connection = site.open();
      connection.setAutoCommit(false);
      execute(connection, "INSERT INTO elsewhere VALUES (1)");
      return rollingBack(connection);
    }
  },
  /** Has enqueued: the floor has to wait for it. */
  ENQUEUE {
    @Override
    Held open(Site site, Contender contender, Installation installation, LongSupplier numbers)
        throws SQLException {
      return installation.hold(numbers.getAsLong());
    }
  };

  /** Opens it; its own message takes its number from {@code numbers}. */
  abstract Held open(
      Site site, Contender contender, Installation installation, LongSupplier numbers)
      throws SQLException;

  String term() {
    return name().toLowerCase(Locale.ROOT);
  }

  static OpenTransaction of(String term) {
    return valueOf(term.toUpperCase(Locale.ROOT));
  }

  private static void execute(Connection connection, String text) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
  }

  private static Held rollingBack(Connection connection) {
    return () -> {
      connection.rollback();
      connection.close();
    };
  }
}
