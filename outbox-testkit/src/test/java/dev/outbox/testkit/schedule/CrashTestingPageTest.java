package dev.outbox.testkit.schedule;

import dev.outbox.Inbox;
import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.SettableClock;
import dev.outbox.testkit.crash.CrashFault;
import dev.outbox.testkit.crash.CrashScenario;
import dev.outbox.testkit.crash.EveryAttempt;
import dev.outbox.testkit.crash.EveryStep;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.crash.TestWorld;
import dev.outbox.testkit.crash.Undertaking;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The code of docs/internals/crash-testing.md. */
class CrashTestingPageTest {
  /** Your store and your publisher, with tables that are empty for each run. */
  record YourWorld(InMemoryStore store, SettableClock clock) implements TestWorld {
    static TestWorld open() {
      SettableClock clock = SettableClock.create();
      return new YourWorld(InMemoryStore.builder().lanes(4).clock(clock).build(), clock);
    }

    @Override
    public OutboxStore store(String who, Steps steps) {
      return steps.watch(who, store);
    }

    @Override
    public DataSource applications(String who, Steps steps) {
      return steps.watch(who, store.dataSource());
    }

    @Override
    public Publisher publisher(Receiver broker) {
      return Publisher.blocking(broker::receive);
    }

    @Override
    public void passTime(Duration step) {
      clock.advance(step);
    }

    @Override
    public void close() {}
  }

  @Test
  void every_step_may_be_the_last() throws Exception {
    EveryStep.of(YourWorld::open, CrashScenario.standard(true))
        .with(CrashFault.DROP)
        .run()
        .assertPassed();
  }

  @Test
  void schedules_keep_the_promises() {
    Settings settings = Settings.lanes().worlds(YourWorld::open).withoutLaterAnswers();
    Schedules.run(LongStream.range(0, 200), settings).assertPassed();
  }

  /** Is given one message, again and again until it has answered for it. */
  static final class YourConsumer implements Undertaking {
    private final InMemoryStore database = InMemoryStore.create();
    private final Inbox inbox = Inbox.create(database.receipts());
    private final Outbox effects = Outbox.create(database);
    private final MessageId id = MessageId.next();

    @Override
    public void attempt(String who, Steps steps) throws Exception {
      DataSource watched = steps.watch(who, database.dataSource());
      try (Connection connection = watched.getConnection()) {
        connection.setAutoCommit(false);
        inbox.once(connection, "you", id, this::handle);
        connection.commit();
      }
    }

    private void handle(Connection transaction) {
      effects.enqueue(transaction, Message.to("effects").text("done"));
    }

    @Override
    public List<String> wrongs() {
      int count = database.readyCount();
      return count == 1 ? List.of() : List.of(count + " effects");
    }

    @Override
    public void close() {}
  }

  @Test
  void your_consumer_has_its_effect_once() throws Exception {
    EveryAttempt.of(YourConsumer::new).with(CrashFault.DROP).run().assertPassed();
  }
}
