package dev.outbox.jdbc;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.crash.TestWorld;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/**
 * A world in which publishing a message writes a row into a table of the outbox's own database, and
 * in which each message must have left exactly one.
 */
record EffectWorld(JdbcWorld world, DataSource connections, Way way) implements TestWorld {
  /** How the row is written. */
  enum Way {
    /** In the claim's transaction. */
    INSIDE,
    /** In its own transaction, as a broker would take it: what exactly once must not be. */
    BESIDE
  }

  static EffectWorld of(JdbcWorld world, DataSource connections, Way way) throws SQLException {
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS effect (message_id varchar(36) NOT NULL)");
      statement.execute("DELETE FROM effect");
    }
    return new EffectWorld(world, connections, way);
  }

  @Override
  public OutboxStore store(String who, Steps steps) {
    return world.store(who, steps);
  }

  @Override
  public DataSource applications(String who, Steps steps) {
    return world.applications(who, steps);
  }

  @Override
  public void passTime(Duration step) {
    world.passTime(step);
  }

  /** The effect comes first, so that a refused message has one to undo. */
  @Override
  public Publisher publisher(Receiver broker) {
    return way == Way.INSIDE
        ? Publisher.transactional(
            (envelope, claim) -> {
              insert(claim, envelope);
              broker.receive(envelope);
            })
        : Publisher.blocking(
            envelope -> {
              broker.receive(envelope);
              try (Connection own = connections.getConnection()) {
                insert(own, envelope);
              }
            });
  }

  private static void insert(Connection connection, Envelope envelope) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect VALUES (?)")) {
      insert.setString(1, envelope.id().toString());
      insert.executeUpdate();
    }
  }

  @Override
  public List<String> flaws(Set<MessageId> due) throws SQLException {
    Map<MessageId, Integer> effects = new HashMap<>();
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT message_id FROM effect")) {
      while (row.next()) {
        effects.merge(MessageId.parse(row.getString(1)), 1, Integer::sum);
      }
    }
    List<String> flaws = new ArrayList<>();
    due.stream()
        .filter(id -> !effects.containsKey(id))
        .forEach(id -> flaws.add("no effect of " + id));
    effects.forEach(
        (id, times) -> {
          if (times > 1 || !due.contains(id)) {
            flaws.add("%d effects of %s, which %s due".formatted(times, id, is(due, id)));
          }
        });
    return flaws;
  }

  private static String is(Set<MessageId> due, MessageId id) {
    return due.contains(id) ? "is" : "is not";
  }

  @Override
  public void close() {
    world.close();
  }
}
