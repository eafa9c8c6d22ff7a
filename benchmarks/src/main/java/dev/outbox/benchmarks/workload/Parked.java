package dev.outbox.benchmarks.workload;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Snapshot;
import dev.outbox.Topics;
import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.benchmarks.report.Variant;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;

/**
 * What 100,000 messages that are held cost the others: those of one failed key, and those of a
 * paused topic. The others' speed while they are being moved, and once they are moved, over their
 * speed alone.
 */
final class Parked implements Workload {
  private static final int AT_A_TIME = 500;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @Override
  public void run(Setting setting, Report report) throws Exception {
    int held = setting.quick() ? 20_000 : 100_000;
    int others = setting.quick() ? 20_000 : 50_000;
    for (String kind : List.of("key", "topic")) {
      try (Sandbox sandbox = setting.database().sandbox()) {
        Trial trial = new Trial(sandbox);
        trial.drain(others);
        double alone = trial.medianDrain(others);
        trial.hold(kind, held);
        trial.enqueueOthers(others);
        Trial.Moving moving = trial.drainBehind(others);
        trial.awaitMoved();
        double moved = trial.medianDrain(others);
        trial.requireNoneRepeated();
        Variant variant = Variant.NONE.with("held", kind);
        report.line(
            "parked %s %s: alone %.0f, while moving %.0f, once moved %.0f msg/s",
            setting.databaseName(), kind, alone, moving.all(), moved);
        report.ratio(variant, "moving/alone", moving.all() / alone);
        report.ratio(variant, "first nine tenths moving/alone", moving.most() / alone);
        report.ratio(variant, "moved/alone", moved / alone);
      }
    }
  }

  private static final class Trial {
    private final Set<MessageId> delivered = ConcurrentHashMap.newKeySet();
    private final LongAdder repeated = new LongAdder();
    private final DataSource pool;
    private final JdbcStore store;
    private final Outbox outbox;

    Trial(Sandbox sandbox) throws Exception {
      this.pool = sandbox.pool(6);
      Schema.builder(pool).create();
      this.store = JdbcStore.create(pool);
      this.outbox = Outbox.create(store);
    }

    private Relay relay() {
      Publisher publisher =
          Publisher.blocking(
              envelope -> {
                if (String.valueOf(envelope.key()).equals("failing")) {
                  throw new IllegalStateException("no room");
                }
                if (!delivered.add(envelope.id())) {
                  repeated.increment();
                }
              });
      RetryPolicy rarely = (attempts, failing) -> java.util.Optional.of(Duration.ofHours(1));
      return Relay.builder(store, publisher).retry(rarely).start();
    }

    void hold(String kind, int count) throws Exception {
      if (kind.equals("topic")) {
        Topics.create(store).pause("paused");
      }
      try (Connection connection = pool.getConnection()) {
        connection.setAutoCommit(false);
        for (int from = 0; from < count; from += AT_A_TIME) {
          if (kind.equals("topic")) {
            Feeder.write(connection, outbox, "paused", from, AT_A_TIME);
          } else {
            outbox.enqueue(connection, failing());
            connection.commit();
          }
        }
      }
    }

    private static List<Message> failing() {
      List<Message> messages = new ArrayList<>();
      for (int number = 0; number < AT_A_TIME; number++) {
        messages.add(Message.to("t").key("failing").bytes(new byte[200]));
      }
      return messages;
    }

    void enqueueOthers(int count) throws Exception {
      try (Connection connection = pool.getConnection()) {
        connection.setAutoCommit(false);
        for (int from = 0; from < count; from += AT_A_TIME) {
          Feeder.write(connection, outbox, "t", from, AT_A_TIME);
        }
      }
    }

    /** Enqueues and drains that many of the others; returns how many a second. */
    double drain(int count) throws Exception {
      enqueueOthers(count);
      return drainWaiting(count);
    }

    /** A single drain is over in less than a second: of three the one in the middle. */
    double medianDrain(int count) throws Exception {
      List<Double> drains = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        drains.add(drain(count));
      }
      Collections.sort(drains);
      return drains.get(1);
    }

    private double drainWaiting(int count) throws Exception {
      return drainBehind(count).all();
    }

    /** How many a second: the last ones of a lane wait for what is moved in front of them. */
    record Moving(double most, double all) {}

    Moving drainBehind(int count) throws Exception {
      int before = delivered.size();
      long begun = System.nanoTime();
      Relay relay = relay();
      try (relay) {
        double most = awaitDelivered(before, begun, count - count / 10);
        return new Moving(most, awaitDelivered(before, begun, count));
      }
    }

    private double awaitDelivered(int before, long begun, int count) throws InterruptedException {
      while (delivered.size() - before < count) {
        if (System.nanoTime() - begun > PATIENCE.toNanos()) {
          throw new IllegalStateException(
              "%d of %d have arrived after %s"
                  .formatted(delivered.size() - before, count, PATIENCE));
        }
        Thread.sleep(1);
      }
      return count * 1e9 / (System.nanoTime() - begun);
    }

    void requireNoneRepeated() {
      if (repeated.sum() > 0) {
        throw new IllegalStateException(repeated + " messages arrived again");
      }
    }

    void awaitMoved() throws Exception {
      try (Relay relay = relay()) {
        Snapshot snapshot = relay.snapshot(10);
        while (snapshot.ready() > 0) {
          Thread.sleep(100);
          snapshot = relay.snapshot(10);
        }
      }
    }
  }
}
