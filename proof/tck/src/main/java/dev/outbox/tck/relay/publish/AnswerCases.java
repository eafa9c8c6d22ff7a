package dev.outbox.tck.relay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
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
  static <T> T nothing() {
    return (T) null;
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
}
