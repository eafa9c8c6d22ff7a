package dev.outbox.tck.store.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Archive;
import dev.outbox.DeadLetter;
import dev.outbox.Messages;
import dev.outbox.Messages.Found;
import dev.outbox.Messages.Place;
import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.OneLaneCases;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** An operator asks for one message, cancels it, or publishes delivered ones again. */
public abstract class MessageCases extends OneLaneCases {
  protected MessageCases(Opener opener) {
    super(opener);
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(1).archiving();
  }

  private Messages messages() {
    return Messages.create(store());
  }

  private Found found(MessageId id) {
    List<Found> found = messages().find(id);
    assertThat(found).hasSize(1);
    assertThat(found.get(0).envelope().id()).isEqualTo(id);
    return found.get(0);
  }

  @Test
  void a_message_is_found_wherever_it_is() throws Exception {
    NewEnvelope later = Sample.after(Duration.ofHours(1), "later");
    commit(later);
    List<StoredEnvelope> all =
        ready(
            Sample.keyed("a", "ready"),
            Sample.keyed("b", "parked"),
            Sample.keyed("c", "dead"),
            Sample.keyed("d", "delivered"));
    settled(settle(relay, lease, fail(all.get(1), LEASE), bury(all.get(2)), deliver(all.get(3))));

    List<MessageId> ids = messageIds(all);
    assertFound(found(ids.get(0)), Place.READY, "ready");
    assertFound(found(ids.get(1)), Place.PARKED, "parked");
    assertFound(found(ids.get(2)), Place.DEAD, "dead");
    assertFound(found(ids.get(3)), Place.ARCHIVED, "delivered");
    assertFound(found(later.envelope().id()), Place.DELAYED, "later");
  }

  private static void assertFound(Found found, Place place, String text) {
    assertThat(found.place()).isEqualTo(place);
    assertThat(found.at()).isNotNull();
    assertThat(found.envelope().topic()).isEqualTo(Sample.TOPIC);
    assertThat(found.envelope().payload().text()).isEqualTo(text);
    assertThat(found.letter() != null).isEqualTo(place == Place.DEAD);
  }

  @Test
  void what_was_tried_tells_how_often_and_why_it_waits() throws Exception {
    List<StoredEnvelope> all =
        ready(Sample.keyed("a", "1"), Sample.keyed("a", "2"), Sample.keyed("b", "3"));
    settled(settle(relay, lease, fail(all.get(0), LEASE), follow(all.get(1)), bury(all.get(2))));
    Found failed = found(all.get(0).envelope().id());
    assertThat(failed.reason()).isEqualTo("FAILED");
    assertThat(failed.attempts()).isEqualTo(1);
    assertThat(failed.error()).isEqualTo("error 1");
    Found follower = found(all.get(1).envelope().id());
    assertThat(follower.reason()).isEqualTo("FOLLOWER");
    assertThat(follower.at()).as("it waits for another one").isNull();
    assertThat(follower.error()).isEmpty();
    Found dead = found(all.get(2).envelope().id());
    assertThat(dead.reason()).isEqualTo("REJECTED");
    assertThat(dead.attempts()).isEqualTo(2);
    assertThat(dead.error()).isEqualTo("no such account");
  }

  @Test
  void a_dead_letter_that_was_found_can_be_replayed() throws Exception {
    StoredEnvelope message = ready(Sample.keyed("a", "1")).get(0);
    settled(settle(relay, lease, bury(message)));
    MessageId id = message.envelope().id();
    DeadLetter.Id letter = Objects.requireNonNull(found(id).letter());
    assertThat(store().deadLetters().replay(List.of(letter))).isEqualTo(1);
    assertThat(found(id).place()).isEqualTo(Place.READY);
  }

  @Test
  void an_id_that_tells_no_time_is_found_too_and_one_that_is_nowhere_is_not() throws Exception {
    MessageId id = new MessageId(UUID.randomUUID());
    Envelope envelope =
        new Envelope(id, Sample.TOPIC, null, Map.of(), Sample.text("foreign"), null);
    StoredEnvelope message = ready(Sample.ready(LANE, envelope)).get(0);
    assertFound(found(id), Place.READY, "foreign");
    settled(settle(relay, lease, deliver(message)));
    assertFound(found(id), Place.ARCHIVED, "foreign");
    assertThat(messages().find(MessageId.next())).isEmpty();
    assertThat(messages().find(new MessageId(UUID.randomUUID()))).isEmpty();
  }

  @Test
  void what_ended_long_after_it_was_written_is_found() throws Exception {
    StoredEnvelope message = ready(Sample.keyed("a", "late")).get(0);
    passTime(Duration.ofDays(40));
    LaneStore other = relay("b");
    settled(settle(other, claimFirst(other), deliver(message)));
    assertFound(found(message.envelope().id()), Place.ARCHIVED, "late");
  }

  @Test
  void what_is_tried_again_is_listed_with_the_next_first() throws Exception {
    List<StoredEnvelope> all =
        ready(
            Sample.of("a", "k", "1"),
            Sample.of("a", "k", "2"),
            Sample.of("b", null, "3"),
            Sample.of("a ", "l", "4"));
    settled(
        settle(
            relay,
            lease,
            fail(all.get(0), LEASE.multipliedBy(3)),
            follow(all.get(1)),
            fail(all.get(2), LEASE),
            fail(all.get(3), LEASE.multipliedBy(2))));
    List<MessageId> ids = messageIds(all);
    assertThat(messages().retrying(10))
        .as("a follower waits for another one")
        .extracting(Messages.Retrying::id)
        .containsExactly(ids.get(2), ids.get(3), ids.get(0));
    assertThat(messages().retrying(1)).extracting(Messages.Retrying::topic).containsExactly("b");
    Messages.Retrying first = messages().retrying("a", 10).get(0);
    assertThat(first.key()).hasToString("k");
    assertThat(first.attempts()).isEqualTo(1);
    assertThat(first.error()).isEqualTo("error 1");
    assertThat(first.nextTry()).isAfter(store().now());
    assertThat(messages().retrying("a", 10)).hasSize(1);
    assertThat(messages().retrying("c", 10)).isEmpty();
    assertThatThrownBy(() -> messages().retrying(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("limit is 0, it must be 1 to 1000");
  }

  @Test
  void a_delayed_message_is_cancelled_and_no_other() throws Exception {
    NewEnvelope cancelled = Sample.after(Duration.ofHours(1), "cancelled");
    NewEnvelope kept = Sample.after(Duration.ofHours(1), "kept");
    commit(cancelled, kept);
    StoredEnvelope message = ready(Sample.keyed("a", "ready")).get(0);
    assertThat(messages().cancel(cancelled.envelope().id())).isTrue();
    assertThat(messages().cancel(cancelled.envelope().id())).isFalse();
    assertThat(messages().cancel(message.envelope().id())).as("it is ready").isFalse();
    assertThat(messages().find(cancelled.envelope().id())).isEmpty();
    assertThat(found(message.envelope().id()).place()).isEqualTo(Place.READY);
    assertThat(found(kept.envelope().id()).place()).isEqualTo(Place.DELAYED);
  }

  private Instant deliveredAt(NewEnvelope message) {
    return Objects.requireNonNull(found(message.envelope().id()).at());
  }

  private void deliverAll(NewEnvelope... messages) throws Exception {
    settled(settle(relay, lease, deliver(ready(messages))));
    passTime(Duration.ofSeconds(2));
  }

  @Test
  void a_time_of_one_topic_is_published_again_in_its_order() throws Exception {
    NewEnvelope first = Sample.keyed("a", "1");
    NewEnvelope after = Sample.keyed("a", "after");
    deliverAll(Sample.keyed("a", "before"));
    deliverAll(first, Sample.keyed("b", "2"), Sample.of("other", "a", "3"));
    deliverAll(Sample.keyed("a", "4"));
    deliverAll(after);

    Instant from = deliveredAt(first);
    Instant to = deliveredAt(after);
    Archive archive = Archive.create(store());
    assertThat(archive.publishAgain(Sample.TOPIC, from, to)).isEqualTo(3);
    List<StoredEnvelope> again = readAll(relay);
    assertThat(texts(again)).containsExactly("1", "2", "4");
    List<Found> twice = messages().find(again.get(0).envelope().id());
    assertThat(twice).extracting(Found::place).containsExactly(Place.READY, Place.ARCHIVED);
    assertThat(archive.publishAgain("nothing", from, to)).isZero();
  }

  @Test
  void many_are_published_again_each_once() throws Exception {
    NewEnvelope first = Sample.keyed("k", "first");
    deliverAll(first);
    deliverAll(Sample.numbered("k", 1500).toArray(NewEnvelope[]::new));
    deliverAll(Sample.numbered("l", 700).toArray(NewEnvelope[]::new));
    assertThat(
            Archive.create(store()).publishAgain(Sample.TOPIC, deliveredAt(first), store().now()))
        .isEqualTo(2201);
    List<StoredEnvelope> again = readAll(relay);
    assertThat(texts(again.subList(1, 1501))).isEqualTo(Sample.numbers("k", 1500));
    assertThat(texts(again.subList(1501, 2201))).isEqualTo(Sample.numbers("l", 700));
  }

  @Test
  void what_cannot_be_published_again_is_refused() throws Exception {
    Archive archive = Archive.create(store());
    Instant now = store().now();
    refused("it must lie before to", () -> archive.publishAgain("t", now, now));
    refused(
        "the latest is now", () -> archive.publishAgain("t", now, now.plus(Duration.ofHours(1))));
    refused("topic is empty", () -> archive.publishAgain("", now.minusSeconds(1), now));
    try (StoreEnvironment deleting = opener.open(StoreSetting.lanes(1))) {
      refused(
          "build it with archive()",
          () -> Archive.create(deleting.store()).publishAgain("t", now.minusSeconds(1), now));
    }
  }

  private static void refused(String text, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text);
  }
}
