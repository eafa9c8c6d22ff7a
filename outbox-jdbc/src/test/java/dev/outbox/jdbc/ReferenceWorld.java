package dev.outbox.jdbc;

import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.message.Reference;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Resolver;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.crash.TestWorld;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/**
 * A world in which every payload is in a row of the application's own, named by its text. The reads
 * of a relay's resolver are steps of that relay.
 */
final class ReferenceWorld implements TestWorld {
  private final JdbcWorld world;
  private final List<String> flaws = new ArrayList<>();
  private final Resolver resolver;
  private DataSource reads;
  private boolean refused;

  /** How the publisher comes by the payloads. */
  enum Way {
    LOADED,
    /** Not at all, which must be noticed. */
    LEFT_OUT
  }

  ReferenceWorld(JdbcWorld world, DataSource connections, Way way) throws SQLException {
    this.world = world;
    this.reads = connections;
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS texts (id varchar(40) PRIMARY KEY, body varchar(40))");
      statement.execute("DELETE FROM texts");
      for (String text : List.of("1", "2", "3", "fails once", "follows", "later", "last")) {
        statement.execute("INSERT INTO texts VALUES ('%s', '%s')".formatted(text, text));
      }
    }
    this.resolver =
        way == Way.LOADED
            ? TableResolver.builder(whoeverReads()).column("texts", "id", "body").build()
            : Resolver.byPublisher();
  }

  static Message message(String key, String text) {
    return Message.to("orders").key(key).reference("texts", text);
  }

  /** The connections of the relay that was made last. */
  private DataSource whoeverReads() {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(reads, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Override
  public OutboxStore store(String who, Steps steps) {
    if (who.startsWith("relay")) {
      reads = world.applications(who, steps);
    }
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

  @Override
  public Publisher publisher(Receiver broker) {
    return Publisher.blocking(
            envelope -> {
              compare(envelope);
              refuseOnce(envelope.payload().text());
              // history knows what was written: a reference and no payload
              broker.receive(envelope.resolved(Reference.UNRESOLVED));
            })
        .resolving(resolver);
  }

  private void compare(Envelope envelope) {
    String text = envelope.payload().text();
    if (envelope.reference() == null || !text.equals(envelope.reference().id())) {
      flaws.add("'%s' arrived for %s".formatted(text, envelope.reference()));
    }
  }

  private void refuseOnce(String text) {
    if (text.equals("fails once") && !refused) {
      refused = true;
      throw new IllegalStateException(text);
    }
  }

  @Override
  public List<String> flaws(Set<MessageId> due) throws SQLException {
    List<String> all = new ArrayList<>(flaws);
    all.addAll(world.flaws(due));
    return all;
  }

  @Override
  public void close() {
    world.close();
  }
}
