package dev.outbox.tck.relay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.tck.fixture.HoldingPublisher;
import dev.outbox.tck.fixture.OneOfAKey;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is committed is published, once and in order. */
public abstract class DeliveringCases extends RelayCases {
  protected DeliveringCases(Opener opener) {
    super(opener);
  }

  @Test
  void what_is_committed_is_published_once_and_the_tables_end_empty() throws Exception {
    Random random = seeded("committed and rolled back");
    Set<MessageId> committed = new HashSet<>();
    ManualRelay relay = started(relay("a", broker.publisher()).batch(7));
    for (int round = 0; round < 40; round++) {
      Connection connection = begin();
      List<Message> messages = numbered("key " + random.nextInt(9), random.nextInt(5) + 1);
      List<MessageId> ids = new ArrayList<>(outbox().enqueue(connection, messages));
      ids.add(outbox().enqueue(connection, unkeyed("unkeyed")));
      if (random.nextInt(3) == 0) {
        connection.rollback();
      } else {
        connection.commit();
        committed.addAll(ids);
      }
      connection.close();
      if (random.nextInt(4) == 0) {
        relay.drainNow();
      }
    }
    relay.drainNow();
    assertThat(broker.ids()).isEqualTo(committed);
    assertThat(countingListener.delivered).hasValue(committed.size());
    assertThat(countingListener.missing).hasValue(0);
    assertEmpty();
  }

  @Test
  void nothing_is_published_before_the_commit_or_after_a_rollback() throws Exception {
    ManualRelay relay = started("a");
    Connection committing = begin();
    Connection rollingBack = begin();
    outbox().enqueue(committing, message("k", "committed"));
    outbox().enqueue(rollingBack, message("other", "rolled back"));
    relay.drainNow();
    assertThat(texts()).isEmpty();
    rollingBack.rollback();
    committing.commit();
    relay.drainNow();
    assertThat(texts()).containsExactly("committed");
    assertEmpty();
  }

  @Test
  void a_pipelined_publisher_gets_a_key_in_order_and_many_at_a_time() throws Exception {
    HoldingPublisher publisher = holding();
    commit(numbered("k", 20));
    started(relay("a", publisher)).drainNow();
    assertThat(publisher.flights()).hasSize(1);
    assertThat(publisher.texts()).isEqualTo(numbers("k", 20));
  }

  @Test
  void every_key_leaves_in_order_pipelined() throws Exception {
    commitInterleaved();
    started(relay("a", broker.publisher()).batch(5)).drainNow();
    assertKeysInOrder();
  }

  @Test
  void every_key_leaves_in_order_one_at_a_time() throws Exception {
    OneOfAKey publisher = new OneOfAKey(broker.publisher());
    commitInterleaved();
    started(relay("a", publisher).batch(5)).drainNow();
    assertThat(publisher.together()).isEmpty();
    assertKeysInOrder();
  }

  private void commitInterleaved() throws Exception {
    for (int number = 0; number < 20; number++) {
      List<Message> messages = new ArrayList<>();
      for (String key : List.of("a", "b", "c", "d", "e")) {
        messages.add(message(key, key + " " + number));
      }
      commit(messages);
    }
  }

  private void assertKeysInOrder() throws Exception {
    for (String key : List.of("a", "b", "c", "d", "e")) {
      assertThat(texts(key)).isEqualTo(numbers(key, 20));
    }
    assertEmpty();
  }

  @Test
  void a_publisher_that_promises_nothing_has_one_of_a_key_in_flight() throws Exception {
    HoldingPublisher publisher =
        new HoldingPublisher(dev.outbox.publish.Publisher.Ordering.ONE_PER_KEY);
    commit(
        message("a", "a 0"), message("a", "a 1"), message("b", "b 0"), unkeyed("u"), unkeyed("u"));
    ManualRelay relay = started(relay("a", publisher));
    relay.drainNow();
    assertThat(publisher.texts()).containsExactlyInAnyOrder("a 0", "b 0", "u", "u");
    publisher.answerAll(dev.outbox.publish.Ack.delivered());
    relay.drainNow();
    assertThat(publisher.texts()).last().isEqualTo("a 1");
    publisher.answerAll(dev.outbox.publish.Ack.delivered());
    relay.drainNow();
    assertEmpty();
  }

  @Test
  void a_key_of_one_topic_does_not_wait_for_the_same_key_of_another() throws Exception {
    HoldingPublisher publisher =
        new HoldingPublisher(dev.outbox.publish.Publisher.Ordering.ONE_PER_KEY);
    commit(message("a", "one topic"), Message.to("other").key("a").text("another topic"));
    started(relay("a", publisher)).drainNow();
    assertThat(publisher.texts()).containsExactlyInAnyOrder("one topic", "another topic");
  }

  @Test
  void more_than_a_batch_of_one_key_leaves_in_order() throws Exception {
    commit(numbered("k", 100));
    started(relay("a", broker.publisher()).batch(9)).drainNow();
    assertThat(texts("k")).isEqualTo(numbers("k", 100));
    assertEmpty();
  }

  @Test
  void an_envelope_arrives_as_it_was_enqueued() throws Exception {
    String trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    List<MessageId> ids =
        commit(
            Message.to(TOPIC)
                .key("k")
                .header("traceparent", trace)
                .header("a", "")
                .bytes(new byte[] {0, -1, 7}, "application/x-test"));
    started("a").drainNow();
    Envelope envelope = broker.messages().get(0).envelope();
    assertThat(envelope.id()).isEqualTo(ids.get(0));
    assertThat(envelope.headers())
        .containsExactly(Map.entry("traceparent", trace), Map.entry("a", ""));
    assertThat(envelope.payload().contentType()).isEqualTo("application/x-test");
    assertThat(envelope.payload().bytes()).containsExactly(0, -1, 7);
  }
}
