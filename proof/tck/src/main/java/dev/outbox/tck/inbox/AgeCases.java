package dev.outbox.tck.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Inbox;
import dev.outbox.Inbox.Answer;
import dev.outbox.Inbox.Delivery;
import dev.outbox.message.MessageId;
import dev.outbox.testkit.internal.Crew;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Receipts are not kept for ever, and the inbox knows it. */
public abstract class AgeCases extends InboxCases {
  private static final Duration LONGER = RETENTION.plusMinutes(1);

  protected AgeCases(Opener opener) {
    super(opener);
  }

  private final AtomicInteger worked = new AtomicInteger();

  private Answer commit(Delivery delivery) throws Exception {
    try (Connection connection = begin()) {
      Answer answer = inbox().once(connection, delivery, transaction -> worked.incrementAndGet());
      connection.commit();
      return answer;
    }
  }

  @Test
  void a_repeat_after_the_retention_is_reported_and_does_no_work() throws Exception {
    MessageId id = MessageId.next();
    assertThat(commit(MAILER, id, worked::incrementAndGet)).isEqualTo(Answer.DONE);
    pass(LONGER);
    pass(Duration.ofHours(2));
    assertThat(inbox().purge()).isEqualTo(1);
    assertThat(commit(MAILER, id, worked::incrementAndGet)).isEqualTo(Answer.TOO_OLD);
    assertThat(worked).hasValue(1);
  }

  @Test
  void a_receipt_outlives_its_message_by_more_than_clocks_are_apart() throws Exception {
    MessageId id = MessageId.next();
    commit(id);
    pass(RETENTION.minusMinutes(1));
    assertThat(inbox().purge()).isZero();
    assertThat(commit(id)).isEqualTo(Answer.REPEATED);
    environment().passTime(Duration.ofMinutes(30));
    assertThat(inbox().purge()).isZero();
    assertThat(commit(id)).isEqualTo(Answer.REPEATED);
  }

  /** What docs/consume-once.md says: no purge for the difference, then raise, then prolong. */
  @Test
  void a_retention_that_is_raised_as_the_page_says_does_no_work_twice() throws Exception {
    Duration more = Duration.ofDays(5);
    MessageId purged = MessageId.next();
    commit(purged);
    pass(RETENTION.plusHours(2));
    assertThat(inbox().purge()).isEqualTo(1);
    MessageId kept = madeAt(now());
    commit(kept);
    pass(more);
    MessageId young = madeAt(now());
    commit(young);
    Inbox longer = inbox(RETENTION.plus(more));
    environment().passTime(more.negated()); // as the UPDATE, and no time for the consumers
    assertThat(again(longer, purged)).isEqualTo(Answer.TOO_OLD);
    pass(RETENTION.minusMinutes(1));
    assertThat(longer.purge()).isZero();
    assertThat(again(longer, kept)).isEqualTo(Answer.REPEATED);
    pass(more);
    assertThat(longer.purge()).isEqualTo(1);
    assertThat(again(longer, kept)).isEqualTo(Answer.TOO_OLD);
    assertThat(again(longer, young)).isEqualTo(Answer.REPEATED);
  }

  private Answer again(Inbox inbox, MessageId id) throws Exception {
    try (Connection connection = begin()) {
      Answer answer = inbox.once(connection, MAILER, id, transaction -> {});
      connection.commit();
      return answer;
    }
  }

  @Test
  void a_message_that_comes_late_for_the_first_time_is_too_old_as_well() throws Exception {
    List<MessageId> ids = List.of(MessageId.next(), MessageId.next());
    pass(LONGER);
    MessageId young = MessageId.next();
    assertThat(commit(MAILER, ids.get(0), worked::incrementAndGet)).isEqualTo(Answer.TOO_OLD);
    try (Connection connection = begin()) {
      Instant now = Instant.now().plus(LONGER);
      Delivery delivery = new Delivery(MAILER, ids.get(1), now);
      assertThat(inbox().once(connection, delivery, transaction -> {})).isEqualTo(Answer.DONE);
      Inbox.Sorted sorted = inbox().receive(connection, "other", List.of(ids.get(1), ids.get(0)));
      assertThat(sorted.tooOld()).containsExactly(ids.get(1), ids.get(0));
      assertThat(sorted.fresh()).isEmpty();
      connection.commit();
    }
    assertThat(young.madeAt()).isPresent();
    assertThat(worked).hasValue(0);
  }

  @Test
  void a_delayed_message_is_as_old_as_its_due_time() throws Exception {
    MessageId id = MessageId.next();
    pass(Duration.ofDays(300));
    Instant due = Instant.now().plus(Duration.ofDays(295));
    Delivery delivery = new Delivery(MAILER, id, due);
    assertThat(commit(delivery)).isEqualTo(Answer.DONE);
    assertThat(commit(delivery)).isEqualTo(Answer.REPEATED);
    pass(RETENTION);
    assertThat(commit(delivery)).isEqualTo(Answer.TOO_OLD);
    assertThat(worked).hasValue(1);
  }

  @Test
  void an_id_that_tells_no_time_is_known_for_as_long_as_its_receipt_stands() throws Exception {
    MessageId foreign = new MessageId(UUID.randomUUID());
    assertThat(commit(foreign)).isEqualTo(Answer.DONE);
    pass(RETENTION);
    assertThat(commit(foreign)).isEqualTo(Answer.REPEATED);
    pass(Duration.ofHours(2));
    assertThat(commit(foreign)).isEqualTo(Answer.REPEATED);
    assertThat(inbox().purge()).isEqualTo(1);
    Instant longAgo = Instant.now();
    assertThat(commit(new Delivery(MAILER, foreign, longAgo))).isEqualTo(Answer.TOO_OLD);
    assertThat(commit(foreign)).isEqualTo(Answer.DONE);
  }

  @Test
  void the_clocks_of_writer_and_consumer_may_be_an_hour_apart() throws Exception {
    Instant ahead = Instant.now().plus(Duration.ofMinutes(59));
    MessageId id = madeAt(ahead);
    assertThat(commit(id)).isEqualTo(Answer.DONE);
    pass(RETENTION.plusMinutes(58));
    assertThat(inbox().purge()).isZero();
    assertThat(commit(id)).isEqualTo(Answer.REPEATED);
  }

  @Test
  void purging_deletes_what_is_old_in_bounded_batches_and_nothing_else() throws Exception {
    List<MessageId> old = ids(25);
    try (Connection connection = begin()) {
      inbox().receive(connection, MAILER, old);
      connection.commit();
    }
    pass(RETENTION.plusHours(2));
    MessageId young = MessageId.next();
    Instant now = Instant.now().plus(RETENTION).plus(Duration.ofHours(2));
    Delivery delivery = new Delivery(MAILER, young, now);
    assertThat(commit(delivery)).isEqualTo(Answer.DONE);
    assertThat(environment().receipts().purge(10)).isEqualTo(10);
    assertThat(environment().receipts().purge(10)).isEqualTo(10);
    assertThat(inbox().purge()).isEqualTo(5);
    assertThat(inbox().purge()).isZero();
    assertThat(commit(delivery)).isEqualTo(Answer.REPEATED);
  }

  @Test
  void purging_waits_for_no_receipt_that_is_being_written() throws Exception {
    commit(MessageId.next());
    pass(RETENTION.plusHours(2));
    Connection open = begin();
    Delivery delivery =
        new Delivery(
            MAILER, MessageId.next(), Instant.now().plus(RETENTION).plus(Duration.ofHours(2)));
    inbox().once(open, delivery, transaction -> {});
    assertThat(Crew.within(SOON, () -> inbox().purge())).isEqualTo(1);
    open.commit();
  }

  @Test
  void a_time_more_than_an_hour_ahead_is_refused_and_the_transaction_goes_on() throws Exception {
    String mailer = MAILER;
    MessageId ahead = madeAt(Instant.now().plus(Duration.ofMinutes(62)));
    Delivery unknown = new Delivery(mailer, ahead, null);
    Instant far = Instant.now().plus(Duration.ofMinutes(62));
    Delivery later = new Delivery(mailer, MessageId.next(), far);
    Connection connection = begin();
    for (Delivery delivery : List.of(unknown, later)) {
      String text =
          delivery.notBefore() == null ? "id " + ahead + " was made at " : "notBefore is " + far;
      assertThatThrownBy(() -> inbox().once(connection, delivery, transaction -> {}))
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(text)
          .hasMessageContaining("an hour from now");
      assertThatThrownBy(() -> inbox().receive(connection, List.of(delivery)))
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(text);
    }
    inbox().once(connection, MAILER, MessageId.next(), transaction -> {});
    connection.commit();
    pass(Duration.ofMinutes(5));
    assertThat(commit(unknown)).isEqualTo(Answer.DONE);
    assertThat(commit(unknown)).isEqualTo(Answer.REPEATED);
  }

  private static MessageId madeAt(Instant instant) {
    return new MessageId(new UUID(instant.toEpochMilli() << 16 | 0x7000L, 1L << 63));
  }

  @Test
  void several_delayed_messages_are_as_old_as_their_due_times() throws Exception {
    String mailer = MAILER;
    List<MessageId> ids = ids(3);
    pass(LONGER);
    Instant due = Instant.now().plus(LONGER).minusSeconds(60);
    List<Delivery> deliveries =
        List.of(
            new Delivery(mailer, ids.get(0), due),
            new Delivery(mailer, ids.get(1), null),
            new Delivery(mailer, ids.get(2), due),
            new Delivery(mailer, ids.get(0), null));
    try (Connection connection = begin()) {
      assertThat(inbox().receive(connection, deliveries))
          .isEqualTo(
              new Inbox.Sorted(
                  List.of(ids.get(0), ids.get(2)), List.of(ids.get(0)), List.of(ids.get(1))));
      assertThatThrownBy(
              () ->
                  inbox()
                      .receive(
                          connection,
                          List.of(deliveries.get(0), new Delivery("other", ids.get(0), due))))
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "deliveries are for consumers 'mailer' and 'other'; receive those of one consumer at a time");
      connection.commit();
    }
    assertThat(commit(deliveries.get(2))).isEqualTo(Answer.REPEATED);
  }

  @Test
  void a_retention_that_cannot_be_is_refused() {
    for (Duration retention :
        List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofDays(3651))) {
      assertThatThrownBy(() -> Inbox.builder(environment().receipts()).retention(retention))
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessage("retention is %s, it must be 1 second to 3650 days", retention);
    }
  }
}
