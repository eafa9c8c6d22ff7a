package dev.outbox.jdbc.failover;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.jdbc.proof.Await;
import dev.outbox.jdbc.proof.Ledger;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import javax.sql.DataSource;

/**
 * Tables at the end of a line, with writers, a relay and its broker.
 *
 * <p>Used by one thread, which writes with others.
 */
final class Site implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Line line;
  private final Plan plan;
  private final Broker broker = new Broker();
  private final Contents contents;
  private final Writing writing;
  private final Relay relay;
  private int firstInFlight;

  Site(Line line, Plan plan, Random random) throws SQLException {
    this.line = line;
    this.plan = plan;
    this.contents = new Contents(line.dataSource());
    createTables(line.dataSource());
    JdbcStore store = store();
    this.writing = new Writing(line.dataSource(), Outbox.create(store), random, plan.keys(random));
    this.relay =
        Relay.builder(store, broker.publisher())
            .poll(Duration.ofMillis(50))
            .grace(Duration.ofMillis(200))
            .retry((attempts, failing) -> Optional.of(Duration.ofHours(1)))
            .start();
  }

  private JdbcStore store() {
    JdbcStore.Builder builder = JdbcStore.builder(line.dataSource());
    return plan.taken() ? builder.archive().build() : builder.build();
  }

  /** The outbox tables and the ledger, where they are not. */
  void createTables(DataSource dataSource) throws SQLException {
    Schema.Builder schema =
        Schema.builder(dataSource).claiming(plan.way().claiming()).lanes(plan.way().lanes());
    if (plan.taken()) {
      schema.with(Schema.Part.ARCHIVE);
    }
    schema.create();
    new Ledger(dataSource).create();
  }

  Line line() {
    return line;
  }

  Plan plan() {
    return plan;
  }

  Contents contents() {
    return contents;
  }

  /** The number in the ledger from which on messages are in flight. */
  int firstInFlight() {
    return firstInFlight;
  }

  /** Lets {@code loss} happen, and tells what became of the messages. */
  Account suffer(Loss loss) throws Exception {
    writing.together(plan.before(), plan.answersElse(), "k");
    Await.until("all before the loss is settled", PATIENCE, () -> contents.ready() == 0);
    loss.prepare(this);
    broker.hold();
    firstInFlight = writing.next();
    int most = writing.together(plan.air(), plan.answers(), plan.familyInFlight());
    Await.until("messages are in flight", PATIENCE, () -> broker.inFlight() == most);
    long highest = contents.number("SELECT MAX(id) FROM outbox");
    loss.happen(this);
    writing.concurrently(plan.after(), plan.answersElse(), List.of("k", plan.familyInFlight()));
    long again = contents.number("SELECT COUNT(*) FROM outbox WHERE id <= " + highest);
    broker.answer();
    Duration drained = awaitDrained(loss.draining());
    relay.close();
    return Account.of(line.dataSource(), broker, again, drained);
  }

  /** Returns after a while also when something is stuck. */
  private Duration awaitDrained(Duration bound) {
    try {
      return Await.until(
          "nothing is stuck", bound, () -> Account.stuck(contents.readyKeys(), broker).isEmpty());
    } catch (AssertionError left) {
      return bound;
    }
  }

  @Override
  public void close() {
    broker.answer();
    relay.close();
  }
}
