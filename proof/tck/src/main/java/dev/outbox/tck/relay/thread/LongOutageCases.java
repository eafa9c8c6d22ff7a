package dev.outbox.tck.relay.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Relay;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.FragileChannel;
import dev.outbox.tck.fixture.FragileChannel.Loss;
import dev.outbox.tck.fixture.Opener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Outages under load, in real time, and a message that looks like one. */
@Tag("proof")
public abstract class LongOutageCases extends ThreadCases {
  private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("outbox.outage", 1));

  private final AtomicInteger counted = new AtomicInteger();
  private final Set<MessageId> committed = new HashSet<>();

  protected LongOutageCases(Opener opener) {
    super(opener);
  }

  /** A message of the key of this number, where keys are taken. */
  protected Message one(int key, String text) {
    return message("k " + key, text);
  }

  @Test
  void outages_under_load_count_nothing() throws Exception {
    start(new FragileChannel(broker, envelope -> false, Loss.WHOLE_FLIGHT));
    for (int outage = 0; outage < 3; outage++) {
      load(Duration.ofMillis(500));
      broker.down();
      load(OUTAGE);
      broker.up();
    }

    broker.await(committed.size(), PATIENCE);
    assertThat(broker.ids()).isEqualTo(committed);
    assertThat(counted).as("attempts").hasValue(0);
  }

  @Test
  void a_message_that_takes_whole_flights_with_it_dies_alone() throws Exception {
    start(
        new FragileChannel(
            broker, each -> each.payload().text().equals("culprit"), Loss.WHOLE_FLIGHT));
    load(Duration.ofMillis(200));
    commit(one(3, "culprit"));
    for (int second = 0; second < 60 && tableCounts().dead() == 0; second++) {
      load(Duration.ofSeconds(1));
    }

    broker.await(committed.size(), PATIENCE);
    assertThat(broker.ids()).isEqualTo(committed);
    assertThat(dead())
        .extracting(letter -> letter.envelope().payload().text())
        .containsExactly("culprit");
    assertThat(counted).as("attempts, all of the culprit").hasValue(3);
  }

  private void start(FragileChannel channel) {
    Relay relay =
        real(channel)
            .retry(
                (attempts, failing) -> {
                  counted.incrementAndGet();
                  return Optional.of(Duration.ofMillis(20)).filter(rest -> attempts < 3);
                })
            .start();
    closing(relay);
  }

  private void load(Duration time) throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      List<Message> messages = new ArrayList<>();
      for (int key = 0; key < 20; key++) {
        messages.add(one(key, "fine"));
      }
      committed.addAll(commit(messages));
      assertThat(never.await(10, TimeUnit.MILLISECONDS)).isFalse();
    }
  }

  /** The same by rows, where messages have no keys. */
  public abstract static class ByRows extends LongOutageCases {
    protected ByRows(Opener opener) {
      super(opener);
    }

    @Override
    protected StoreSetting setting() {
      return StoreSetting.rows();
    }

    @Override
    protected Message one(int key, String text) {
      return unkeyed(text);
    }
  }
}
