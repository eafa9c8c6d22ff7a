package dev.outbox.tck.relay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RelayListener;
import dev.outbox.tck.fixture.HoldingPublisher;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.internal.Crew;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Publishers that answer twice, late, wrongly or never. */
public abstract class AnswerCases extends RelayCases {
  protected AnswerCases(Opener opener) {
    super(opener);
  }

  @Test
  void the_first_of_two_answers_counts() throws Exception {
    HoldingPublisher publisher = holding();
    ManualRelay relay = started(relay("a", publisher));
    commit(numbered("a", 2));
    relay.drainNow();
    publisher.answer("a 0", Ack.delivered());
    publisher.answer("a 0", Ack.rejected("second thoughts"));
    publisher.answer("a 0", Ack.failed(new IllegalStateException()));
    relay.drainNow();
    assertThat(tableCounts().ready()).isEqualTo(2);
    publisher.answer("a 1", Ack.delivered());
    relay.drainNow();
    assertThat(countingListener.ignored).hasValue(2);
    assertThat(publisher.flights()).hasSize(1);
    assertEmpty();
  }

  @Test
  void an_answer_for_a_foreign_envelope_is_ignored() throws Exception {
    HoldingPublisher publisher = holding();
    ManualRelay relay = started(relay("a", publisher));
    List<String> texts = List.of("a 0", "b 0");
    commit(message("a", "a 0"));
    relay.drainNow();
    commit(message("a", "b 0"));
    Envelope own = publisher.flight(0).envelopes().get(0);
    Envelope copy =
        new Envelope(own.id(), own.topic(), own.key(), own.headers(), own.payload(), null);
    Envelope foreign =
        new Envelope(
            dev.outbox.message.MessageId.next(), TOPIC, own.key(), Map.of(), own.payload(), null);
    publisher.flight(0).ack(foreign, Ack.rejected("not mine"));
    relay.drainNow();
    assertThat(countingListener.ignored).hasValue(1);
    assertThat(dead()).isEmpty();
    publisher.flight(0).ack(own, Ack.delivered());
    publisher.flight(0).ack(copy, Ack.rejected("again"));
    relay.drainNow();
    publisher.answerAll(Ack.delivered());
    relay.drainNow();
    assertThat(publisher.texts()).isEqualTo(texts);
    assertThat(dead()).isEmpty();
    assertEmpty();
  }

  @Test
  void no_answer_in_time_counts_as_failed_and_a_late_one_is_ignored() throws Exception {
    HoldingPublisher publisher = holding();
    ManualRelay relay = started(relay("a", publisher).publishDeadline(Duration.ofSeconds(30)));
    commit(numbered("a", 2));
    relay.drainNow();
    pass(Duration.ofSeconds(29));
    relay.drainNow();
    assertThat(countingListener.parked).hasValue(0);
    pass(Duration.ofSeconds(1));
    relay.drainNow();
    assertThat(countingListener.parked).hasValue(2);
    publisher.answerAll(Ack.delivered());
    relay.drainNow();
    assertThat(countingListener.ignored).hasValue(2);
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 2, 0, 0));
    pass(REST);
    relay.drainNow();
    assertThat(publisher.flights()).hasSize(2);
    publisher.answerAll(Ack.delivered());
    relay.drainNow();
    publisher.answerAll(Ack.delivered());
    relay.drainNow();
    assertThat(publisher.texts()).containsExactly("a 0", "a 1", "a 0", "a 1");
    assertThat(tableCounts()).isEqualTo(TableCounts.EMPTY);
  }

  @Test
  void the_answered_part_of_a_late_flight_is_settled_as_answered() throws Exception {
    HoldingPublisher publisher = holding();
    ManualRelay relay = started(relay("a", publisher));
    commit(message("a", "a 0"), message("a", "a 1"), message("a", "a 2"));
    relay.drainNow();
    publisher.answer("a 0", Ack.delivered());
    pass(Duration.ofSeconds(31));
    relay.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 2, 0, 0));
    pass(REST);
    relay.drainNow();
    publisher.answerAll(Ack.delivered());
    relay.drainNow();
    assertThat(publisher.texts()).containsExactly("a 0", "a 1", "a 2", "a 1", "a 2");
  }

  @Test
  void answers_may_come_from_other_threads_in_any_order() throws Exception {
    HoldingPublisher publisher = holding();
    ManualRelay relay = started(relay("a", publisher));
    commit(numbers("u", 30).stream().map(RelayCases::unkeyed).toList());
    relay.drainNow();
    List<String> texts = publisher.texts();
    Crew.together(
        List.of(
            () -> answer(publisher, texts.subList(0, 10)),
            () -> answer(publisher, texts.subList(20, 30)),
            () -> answer(publisher, texts.subList(10, 20))));
    relay.drainNow();
    assertThat(countingListener.delivered).hasValue(30);
    assertEmpty();
  }

  private static boolean answer(HoldingPublisher publisher, List<String> texts) {
    texts.forEach(text -> publisher.answer(text, Ack.delivered()));
    return true;
  }

  @Test
  void a_publisher_that_throws_an_error_fails_its_messages_only() throws Exception {
    AtomicBoolean sick = new AtomicBoolean(true);
    Publisher direct =
        flight -> {
          if (sick.get()) {
            throw new StackOverflowError("too deep");
          }
          broker.publisher().publish(flight);
        };
    survives(direct, sick);
  }

  @Test
  void a_blocking_publisher_that_throws_an_error_fails_its_messages_only() throws Exception {
    AtomicBoolean sick = new AtomicBoolean(true);
    survives(
        Publisher.blocking(
            envelope -> {
              throwIf(sick);
              broker.receive(envelope);
            }),
        sick);
  }

  @Test
  void an_async_publisher_that_throws_an_error_fails_its_messages_only() throws Exception {
    AtomicBoolean sick = new AtomicBoolean(true);
    survives(
        Publisher.async(
            envelope -> {
              throwIf(sick);
              return CompletableFuture.runAsync(
                  () -> {
                    try {
                      broker.receive(envelope);
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                  },
                  Runnable::run);
            }),
        sick);
  }

  @Test
  void a_routed_publisher_that_throws_an_error_fails_its_messages_only() throws Exception {
    AtomicBoolean sick = new AtomicBoolean(true);
    Publisher routed =
        flight -> {
          throwIf(sick);
          broker.publisher().publish(flight);
        };
    survives(Publisher.route(Map.of(TOPIC, routed)), sick);
  }

  private static void throwIf(AtomicBoolean sick) {
    if (sick.get()) {
      throw new NoClassDefFoundError("missing");
    }
  }

  private void survives(Publisher publisher, AtomicBoolean sick) throws Exception {
    ManualRelay relay = started(relay("a", publisher));
    commit(numbered("a", 2));
    relay.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 2, 0, 0));
    sick.set(false);
    pass(REST);
    relay.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 2));
    assertEmpty();
  }

  @Test
  void an_answer_without_a_reason_or_a_cause_is_an_answer() throws Exception {
    HoldingPublisher publisher = holding();
    ManualRelay relay = started(relay("a", publisher));
    commit(message("a", "rejected"), message("b", "failed"), message("c", "unavailable"));
    relay.drainNow();
    publisher.answer("rejected", new Ack.Rejected(nothing()));
    publisher.answer("failed", new Ack.Failed(nothing(), null));
    publisher.answer("unavailable", new Ack.Unavailable(nothing(), null));
    relay.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(1, 1, 0, 1));
  }

  @Test
  void a_null_answer_is_a_failure() throws Exception {
    HoldingPublisher publisher = holding();
    ManualRelay relay = started(relay("a", publisher));
    commit(message("a", "a 0"), message("a", "a 1"));
    relay.drainNow();
    publisher.answer("a 0", nothing());
    publisher.answer("a 0", Ack.delivered());
    relay.drainNow();
    assertThat(countingListener.parked).hasValue(0);
    publisher.answer("a 1", Ack.delivered());
    relay.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 1, 0, 0));
  }

  /** What careless code without null checks passes. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return (T) null;
  }

  @Test
  void an_exception_whose_text_throws_is_a_failure() throws Exception {
    Exception mute =
        new Exception() {
          private static final long serialVersionUID = 1L;

          @Override
          public String getMessage() {
            throw new IllegalStateException("no text");
          }
        };
    ManualRelay relay =
        started(
            relay(
                "a",
                Publisher.blocking(
                    envelope -> {
                      throw mute;
                    })));
    commit(message("a", "a 0"));
    relay.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 1, 0, 0));
  }

  @Test
  void a_text_of_any_length_and_content_is_kept_as_far_as_it_goes() throws Exception {
    String text = "\0\ud800 ".repeat(3000) + "\ud83d\ude80".repeat(3000);
    broker.rejectIf(envelope -> true, text);
    commit(message("a", "a 0"));
    started("a").drainNow();
    assertThat(dead()).hasSize(1);
    assertThat(dead().get(0).error()).hasSizeBetween(500, 1000);
  }

  @Test
  void a_rest_of_any_length_is_stored() throws Exception {
    HoldingPublisher publisher = holding();
    ManualRelay relay =
        started(
            relay("a", publisher)
                .retry((attempts, failing) -> Optional.of(Duration.ofSeconds(Long.MAX_VALUE))));
    commit(message("a", "a 0"), message("b", "b 0"));
    relay.drainNow();
    publisher.answer("a 0", Ack.failed(new IllegalStateException()));
    publisher.answer(
        "b 0", new Ack.Failed(new IllegalStateException(), Duration.ofSeconds(Long.MAX_VALUE)));
    relay.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 2, 0, 0));
  }

  @Test
  void a_policy_that_throws_or_answers_nothing_does_not_stop_the_relay() throws Exception {
    ManualRelay relay =
        started(
            relay("a", broker.publisher())
                .retry(
                    (attempts, failing) -> {
                      if (attempts == 1) {
                        return nothing();
                      }
                      throw new IllegalStateException("no policy");
                    }));
    broker.failNext(2, new IllegalStateException("no room"));
    commit(message("a", "a 0"));
    for (int look = 0; look < 3; look++) {
      relay.drainNow();
      pass(Duration.ofMinutes(1));
    }
    assertThat(texts("a")).containsExactly("a 0");
    assertEmpty();
  }

  @Test
  void a_classifier_that_throws_does_not_stop_the_relay() throws Exception {
    Publisher failing =
        Publisher.blocking(
            envelope -> {
              throw new IllegalStateException("no room");
            });
    ManualRelay relay =
        started(
            relay(
                "a",
                failing.classify(
                    cause -> {
                      throw new IllegalArgumentException("no idea");
                    })));
    commit(numbered("a", 3));
    relay.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 3, 0, 0));
  }

  @Test
  void a_listener_that_throws_changes_nothing() throws Exception {
    RelayListener grumpy =
        new RelayListener() {
          @Override
          public void settled(Settled settled) {
            throw new IllegalStateException("leave me alone");
          }

          @Override
          public void deadLettered(Envelope envelope, DeadLetter.Reason reason, String error) {
            throw new AssertionError("leave me alone");
          }
        };
    broker.rejectIf(envelope -> envelope.payload().text().equals("a 0"), "no such account");
    ManualRelay relay = started(relay("a", broker.publisher()).listener(grumpy));
    commit(numbered("a", 3));
    relay.drainNow();
    assertThat(texts("a")).containsExactly("a 1", "a 2");
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 0, 0, 1));
  }
}
