package dev.outbox.examples.chaos;

import dev.outbox.examples.chaos.Terms.Login;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.network.TcpProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The database that everything runs on, and what can be done to it. */
sealed interface Ground extends AutoCloseable {
  Login login();

  /** Ends the sessions of all writers and relays; returns how many. */
  int endSessions() throws SQLException;

  boolean isRestartable();

  /** Kills the server and starts it again. */
  void restart();

  @Override
  void close();

  static Ground of(Terms terms) {
    Login given = terms.given();
    Ground ground =
        given == null
            ? new Embedded(terms.database().sandbox())
            : Given.reached(terms.database(), given);
    return terms.databaseName().equals("h2")
        ? new Proxied(ground, proxyBefore(ground.login().url()))
        : ground;
  }

  private static TcpProxy proxyBefore(String url) {
    try {
      return TcpProxy.before(url);
    } catch (IllegalArgumentException e) {
      throw new BadArgumentException(
          "--url is '%s', with --db h2 it must name the server's host and port: jdbc:h2:tcp://localhost:9092/..."
              .formatted(url));
    }
  }

  /** A server that this JVM started, or the one that the testkit was told of. */
  record Embedded(Sandbox sandbox) implements Ground {
    @Override
    public Login login() {
      return new Login(sandbox.url(), sandbox.user(), sandbox.password());
    }

    @Override
    public int endSessions() {
      return sandbox.terminateSessions();
    }

    @Override
    public boolean isRestartable() {
      return sandbox.server().isRestartable();
    }

    @Override
    public void restart() {
      sandbox.server().restart();
    }

    @Override
    public void close() {
      sandbox.close();
    }

    @Override
    public String toString() {
      return sandbox.server().source();
    }
  }

  /**
   * H2, whose sessions end with their connections. Its own way to end one, {@code ABORT_SESSION},
   * does not wait for the statement that runs, which may leave a transaction open for good.
   */
  record Proxied(Ground ground, TcpProxy line) implements Ground {
    @Override
    public Login login() {
      Login direct = ground.login();
      return new Login(line.through(direct.url()), direct.user(), direct.password());
    }

    @Override
    public int endSessions() throws SQLException {
      Login direct = ground.login();
      try (Connection connection =
              DriverManager.getConnection(direct.url(), direct.user(), direct.password());
          Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "SELECT COUNT(*) FROM information_schema.sessions"
                      + " WHERE session_id <> session_id()")) {
        row.next();
        int sessions = row.getInt(1);
        line.reset();
        return sessions;
      }
    }

    @Override
    public boolean isRestartable() {
      return ground.isRestartable();
    }

    @Override
    public void restart() {
      ground.restart();
    }

    @Override
    public void close() {
      line.close();
      ground.close();
    }

    @Override
    public String toString() {
      return ground.toString();
    }
  }

  /** A database of the user's, where this may do what its user may. */
  record Given(Database database, Login login) implements Ground {
    /** Its first connection may take long: it loads the driver. So it is not left to a pool. */
    static Given reached(Database database, Login login) {
      Given given = new Given(database, login);
      try {
        given.connect().close();
        return given;
      } catch (SQLException e) {
        throw new BadArgumentException(
            "--url is '%s', it must be a database that takes connections: %s"
                .formatted(login.url(), e.getMessage()));
      }
    }

    private Connection connect() throws SQLException {
      return DriverManager.getConnection(login.url(), login.user(), login.password());
    }

    @Override
    public int endSessions() throws SQLException {
      try (Connection connection = connect();
          Statement statement = connection.createStatement()) {
        List<String> sessions = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(listing())) {
          while (rows.next()) {
            sessions.add(rows.getString(1));
          }
        }
        for (String session : sessions) {
          end(statement, session);
        }
        return sessions.size();
      }
    }

    private String listing() {
      return switch (database) {
        case POSTGRES ->
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
                + " AND usename = current_user AND pid <> pg_backend_pid()";
        case MYSQL, MARIADB ->
            "SELECT id FROM information_schema.processlist WHERE db = database()"
                + " AND user = substring_index(current_user(), '@', 1) AND id <> connection_id()";
        default -> throw new IllegalStateException("sessions are not ended on " + database);
      };
    }

    private void end(Statement statement, String session) {
      String end =
          database == Database.POSTGRES
              ? "SELECT pg_terminate_backend(" + session + ")"
              : "KILL " + session;
      try {
        statement.execute(end);
      } catch (SQLException goneByItself) {
        // it was listed a moment ago
      }
    }

    @Override
    public boolean isRestartable() {
      return false;
    }

    @Override
    public void restart() {
      throw new UnsupportedOperationException("not ours to restart: " + login.url());
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
      return login.url();
    }
  }
}
