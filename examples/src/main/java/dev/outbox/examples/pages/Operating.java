package dev.outbox.examples.pages;

import dev.outbox.Archive;
import dev.outbox.DeadLetter;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.DeadLetters;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.DeadLetters.ReplayPlan;
import dev.outbox.Messages;
import dev.outbox.Relay;
import dev.outbox.RelayStatus;
import dev.outbox.RelayStatus.Health;
import dev.outbox.Topics;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.MessageId;
import dev.outbox.spi.OutboxStore;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;

/** The code of docs/operate.md and docs/operate-messages.md. */
public final class Operating {
  private Operating() {}

  /** For a liveness probe: false when a restart would help. */
  public static boolean alive(Relay relay, int publishThreads) {
    RelayStatus status = relay.status();
    boolean ended = status.health() == Health.DOWN && status.storeDownFor() == null;
    boolean stuck = status.stuckThreads() >= publishThreads; // 8 by default
    return !ended && !stuck;
  }

  /** For a database of several nodes, of which one is used. */
  public static JdbcStore oneNode(DataSource dataSource) {
    JdbcStore store = JdbcStore.builder(dataSource).oneNode().build();
    return store;
  }

  /** After a restore. */
  public static void raise(DataSource dataSource) {
    Schema.builder(dataSource).build().raiseIds(); // with schema and tablePrefix as you have them
  }

  /** What is set of a topic. */
  public static void topics(OutboxStore store) {
    Topics topics = Topics.create(store);
    topics.pause("invoices.sent"); // nothing of it is published, the others go on
    topics.resume("invoices.sent"); // what waited goes out, each key in its order
    topics.limit("mail.out", 50); // messages per second
    topics.cap("mail.out", 4); // in flight at a time
    topics.unlimited("mail.out"); // neither; a pause stays
    topics.strict("accounts.moved", true); // a dead letter keeps its key held
    topics.settings(); // what is set, per topic
    topics.spellingDoubt("mial.out"); // no message and no setting: is it misspelt?
  }

  /** What is done about dead letters. */
  public static void dead(OutboxStore store) {
    DeadLetters dead = DeadLetters.create(store);
    Filter refused = Filter.all().topic("invoices.sent").reason(Reason.REJECTED);
    dead.count(refused, 10_000); // counts no further than that
    dead.page(refused, 0, 100); // then from the number of the last one seen
    dead.replay(dead.page(0, 2).stream().map(DeadLetter::id).toList()); // these
    dead.replay(refused, ReplayPlan.dryRun()); // how many it would be
    dead.replay(refused, ReplayPlan.paced(100)); // all of them, 100 a second
    dead.discard(refused.olderThan(Duration.ofDays(30)));
    dead.purge(Duration.ofDays(90)); // all old ones, whatever they are
  }

  /** Where one message is, and what can be done about it. */
  public static void messages(OutboxStore store, MessageId id) {
    Messages messages = Messages.create(store);
    messages.find(id); // READY, PARKED, DELAYED, DEAD or ARCHIVED, and why
    messages.cancel(id); // a delayed one, before it is due
  }

  /** What was delivered is published again. */
  public static void again(OutboxStore store, Instant from, Instant to) {
    Archive archive = Archive.create(store);
    archive.publishAgain("invoices.sent", from, to); // what was delivered from then until then
  }
}
