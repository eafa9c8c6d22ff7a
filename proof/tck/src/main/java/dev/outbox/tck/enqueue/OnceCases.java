package dev.outbox.tck.enqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Outbox;
import dev.outbox.Transactions;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.tck.fixture.Wakes;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A message with a key is enqueued once. */
public abstract class OnceCases extends RelayCases {
  static final Duration RETENTION = Duration.ofDays(7);

  protected OnceCases(Opener opener) {
    super(opener);
  }

  static Message once(String key, String text) {
    return Message.to(TOPIC).dedupeKey(key).text(text);
  }

  private MessageId one(Message message) throws Exception {
    return commit(message).get(0);
  }

  @Test
  void a_repeat_returns_the_id_of_the_first_and_writes_nothing() throws Exception {
    MessageId first = one(once("order 7", "1"));
    assertThat(one(once("order 7", "2"))).isEqualTo(first);
    assertThat(one(once("order 7", "3"))).isEqualTo(first);
    assertThat(tableCounts()).isEqualTo(new TableCounts(1, 0, 0, 0));
    started("a").drainNow();
    assertThat(broker.ids()).containsExactly(first);
    assertThat(one(once("order 7", "4"))).as("after it was published").isEqualTo(first);
    assertEmpty();
    assertThat(texts()).containsExactly("1");
  }

  /** A request that is repeated minutes later asks for the same delay, and means the same end. */
  @Test
  void a_repeat_that_comes_too_late_to_be_written_returns_the_id_of_the_first() throws Exception {
    MessageId first = one(once("order 7", "1"));
    Message late =
        Message.to(TOPIC)
            .dedupeKey("order 7")
            .deliverAfter(Duration.ofHours(1))
            .notAfter(Instant.now().plus(Duration.ofMinutes(1)))
            .text("2");
    assertThat(one(late)).isEqualTo(first);
    assertThat(tableCounts()).isEqualTo(new TableCounts(1, 0, 0, 0));
  }

  @Test
  void of_one_that_is_refused_because_it_ends_too_early_the_key_stays_free() throws Exception {
    Connection connection = begin();
    assertThatThrownBy(
            () ->
                outbox()
                    .enqueue(
                        connection,
                        Message.to(TOPIC)
                            .dedupeKey("order 7")
                            .deliverAfter(Duration.ofHours(1))
                            .notAfter(Instant.now().plus(Duration.ofMinutes(1)))
                            .text("1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("would expire before it falls due");
    outbox().enqueue(connection, once("order 7", "2"));
    connection.commit();
    started("a").drainNow();
    assertThat(texts()).containsExactly("2");
  }

  @Test
  void keys_are_compared_exactly_and_within_their_topic() throws Exception {
    String euros = "\u20ac".repeat(255);
    List<String> keys = List.of("a", "A", "a ", " a", "\u00e4", "a\ud83d\ude80", euros);
    List<MessageId> ids = new ArrayList<>();
    for (String key : keys) {
      ids.add(one(once(key, key)));
    }
    assertThat(ids).doesNotHaveDuplicates();
    assertThat(commit(keys.stream().map(key -> once(key, "again")).toList())).isEqualTo(ids);
    assertThat(one(Message.to("other").dedupeKey("a").text("x"))).isNotIn(ids);
    assertThat(tableCounts()).isEqualTo(new TableCounts(keys.size() + 1, 0, 0, 0));
  }

  @Test
  void of_one_list_the_first_of_each_key_is_written_in_its_place() throws Exception {
    MessageId before = one(once("old", "old"));
    List<MessageId> ids =
        commit(
            once("b", "1"),
            Message.to(TOPIC).text("2"),
            once("a", "3"),
            once("old", "not"),
            once("b", "not"),
            once("c", "4"));
    assertThat(ids.get(3)).isEqualTo(before);
    assertThat(ids.get(4)).isEqualTo(ids.get(0));
    started("a").drainNow();
    assertThat(texts()).containsExactlyInAnyOrder("old", "1", "2", "3", "4");
    assertThat(broker.ids()).contains(ids.get(0), ids.get(1), ids.get(2), ids.get(5));
  }

  @Test
  void a_list_of_repeats_alone_writes_nothing() throws Exception {
    List<MessageId> ids = commit(once("a", "1"), once("b", "2"));
    assertThat(commit(once("b", "3"), once("a", "4"))).containsExactly(ids.get(1), ids.get(0));
    assertThat(tableCounts()).isEqualTo(new TableCounts(2, 0, 0, 0));
  }

  @Test
  void a_repeat_in_the_same_transaction_is_one_too() throws Exception {
    Connection connection = begin();
    MessageId first = outbox().enqueue(connection, once("a", "1"));
    assertThat(outbox().enqueue(connection, once("a", "2"))).isEqualTo(first);
    connection.commit();
    assertThat(tableCounts()).isEqualTo(new TableCounts(1, 0, 0, 0));
  }

  @Test
  void after_a_rollback_the_key_is_free() throws Exception {
    Connection connection = begin();
    MessageId first = outbox().enqueue(connection, once("a", "1"));
    connection.rollback();
    assertThat(one(once("a", "2"))).isNotEqualTo(first);
    started("a").drainNow();
    assertThat(texts()).containsExactly("2");
  }

  @Test
  void a_delayed_message_takes_its_key_when_it_is_enqueued() throws Exception {
    Duration delay = Duration.ofHours(1);
    MessageId first = one(Message.to(TOPIC).dedupeKey("a").deliverAfter(delay).text("later"));
    assertThat(one(once("a", "now"))).isEqualTo(first);
    assertThat(one(Message.to(TOPIC).dedupeKey("a").deliverAfter(delay).text("x")))
        .isEqualTo(first);
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 0, 1, 0));
    pass(Duration.ofMinutes(61));
    started("a").drainNow();
    assertThat(texts()).containsExactly("later");
  }

  @Test
  void the_key_is_free_again_after_its_retention_whether_or_not_it_was_purged() throws Exception {
    MessageId first = one(once("a", "1"));
    one(once("b", "2"));
    environment().passTime(RETENTION.minusMinutes(1));
    assertThat(one(once("a", "3"))).isEqualTo(first);
    assertThat(outbox().purgeDedupeKeys()).isZero();
    environment().passTime(Duration.ofMinutes(2));
    MessageId second = one(once("a", "4"));
    assertThat(second).isNotEqualTo(first);
    assertThat(one(once("a", "5"))).isEqualTo(second);
    assertThat(outbox().purgeDedupeKeys()).isEqualTo(1);
    assertThat(one(once("a", "6"))).isEqualTo(second);
    one(once("b", "7"));
    started("a").drainNow();
    assertThat(texts()).containsExactlyInAnyOrder("1", "2", "4", "7");
  }

  @Test
  void purging_goes_in_bounded_batches() throws Exception {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      messages.add(once("key " + i, "x"));
    }
    commit(messages);
    assertThat(store().dedupe().purge(10)).isZero();
    environment().passTime(RETENTION.plusMinutes(1));
    one(once("young", "x"));
    assertThat(store().dedupe().purge(10)).isEqualTo(10);
    assertThat(outbox().purgeDedupeKeys()).isEqualTo(15);
    assertThat(outbox().purgeDedupeKeys()).isZero();
  }

  @Test
  void each_outbox_has_a_retention_of_its_own() throws Exception {
    Outbox hasty = Outbox.builder(store()).dedupeRetention(Duration.ofMinutes(1)).build();
    MessageId first = commit(hasty, List.of(once("a", "1"))).get(0);
    one(once("b", "2"));
    environment().passTime(Duration.ofMinutes(2));
    assertThat(one(once("a", "3"))).isNotEqualTo(first);
    one(once("b", "4"));
    assertThat(tableCounts()).isEqualTo(new TableCounts(3, 0, 0, 0));
    assertThatThrownBy(() -> Outbox.builder(store()).dedupeRetention(Duration.ZERO))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("dedupeRetention is PT0S, it must be 1 second to 3650 days");
  }

  @Test
  void a_joined_outbox_knows_repeats_and_wakes_for_none() throws Exception {
    MessageId first = one(once("a", "1"));
    Wakes wakes = new Wakes();
    closing(store().wakeup().subscribe(wakes));
    List<Runnable> afterCommit = new ArrayList<>();
    Connection connection = begin();
    Outbox.Joined joined =
        outbox().join(Transactions.of(work -> work.accept(connection), afterCommit::add));
    assertThat(joined.enqueue(once("a", "2"))).isEqualTo(first);
    connection.commit();
    afterCommit.forEach(Runnable::run);
    assertThat(wakes.woken).isEmpty();
  }

  @Test
  void callers_of_every_isolation_write() throws Exception {
    for (int isolation :
        List.of(
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE)) {
      List<MessageId> ids = new ArrayList<>();
      for (int time = 0; time < 2; time++) {
        try (Connection connection = environment().applications().getConnection()) {
          connection.setTransactionIsolation(isolation);
          connection.setAutoCommit(false);
          ids.add(outbox().enqueue(connection, once("key " + isolation, "x")));
          connection.commit();
          connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
      }
      assertThat(ids.get(1)).isEqualTo(ids.get(0));
    }
    assertThat(tableCounts()).isEqualTo(new TableCounts(3, 0, 0, 0));
  }

  /** Over tables that are claimed by rows. */
  public abstract static class OverRows extends OnceCases {
    protected OverRows(Opener opener) {
      super(opener);
    }

    @Override
    protected StoreSetting setting() {
      return StoreSetting.rows();
    }
  }
}
