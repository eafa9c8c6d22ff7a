package dev.outbox.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Transactions;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.testkit.InMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A relay distinguishes a message that makes the broker close the channel from an outage. */
abstract class ClosedChannelCases extends PublisherCases {
  private static final int BESIDE = 10;
  private static final int MOST_ROUNDS = 600;
  private static final Duration ROUND = Duration.ofMillis(100);

  private final InMemoryStore store = InMemoryStore.builder().lanes(1).build();
  private final Outbox outbox = Outbox.create(store);
  private final List<MessageId> others = new ArrayList<>();

  ClosedChannelCases(Opener opener) {
    super(opener);
  }

  @Test
  void one_message_that_closes_the_channel_ends_as_a_dead_letter_and_the_rest_flows()
      throws Exception {
    if (environment.closedChannel().isEmpty()) {
      leftOut("closed channel");
      return;
    }
    MessageId culprit = enqueueOneThatCloses(environment.closedChannel().get());
    RetryPolicy twice =
        (attempts, failing) -> Optional.of(Duration.ZERO).filter(rest -> attempts < 2);
    Relay relay = Relay.builder(store, environment.publisher()).retry(twice).start();
    try {
      for (int round = 0; round < MOST_ROUNDS && !isOver(); round++) {
        others.addAll(enqueue(1));
      }
    } finally {
      relay.close();
    }

    assertThat(store.contents().dead())
        .as("the one that closes the channel is a dead letter, and no other")
        .extracting(letter -> letter.envelope().id())
        .containsExactly(culprit);
    assertThat(store.contents().dead()).extracting(DeadLetter::attempts).containsExactly(2);
    requireArrived(others);
  }

  /** It comes in the middle of others. */
  private MessageId enqueueOneThatCloses(PublisherEnvironment.ClosedChannel broker)
      throws Exception {
    return Transactions.<MessageId, Exception>call(
        store.dataSource(),
        outbox,
        tx -> {
          List<MessageId> ids = outbox.enqueue(tx, messages(2 * BESIDE + 1));
          MessageId culprit = ids.get(BESIDE);
          broker.closeAt(culprit::equals);
          others.addAll(ids);
          others.remove(culprit);
          return culprit;
        });
  }

  private List<MessageId> enqueue(int count) throws Exception {
    return Transactions.<List<MessageId>, Exception>call(
        store.dataSource(), outbox, tx -> outbox.enqueue(tx, messages(count)));
  }

  private List<Message> messages(int count) {
    return Collections.nCopies(count, Message.to(environment.topic()).text("of many"));
  }

  private boolean isOver() throws InterruptedException {
    return store.await(left -> !left.dead().isEmpty() && left.isDrained(), ROUND);
  }
}
