package dev.outbox.publish;

import static dev.outbox.publish.RecordingFlight.envelope;
import static dev.outbox.publish.RecordingFlight.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.LogLines;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Publisher.Ordering;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ClassifyTest {
  @Test
  void reads_failures_and_outages_again_and_leaves_the_other_answers() throws Exception {
    Envelope failed = keyed("a");
    Envelope down = keyed("b");
    Envelope rejected = keyed("c");
    Envelope delivered = keyed("d");
    RecordingFlight flight = RecordingFlight.of(failed, down, rejected, delivered);
    Publisher publisher =
        each -> {
          each.ack(failed, Ack.failed(new IllegalArgumentException("1")));
          each.ack(down, Ack.unavailable(new ConnectException("2")));
          each.ack(rejected, Ack.rejected("3"));
          each.ack(delivered, Ack.delivered());
        };

    publisher.classify(ClassifyTest::strict).publish(flight);

    assertThat(flight.answer(failed)).isEqualTo(Ack.rejected("strict: 1"));
    assertThat(flight.answer(down)).isEqualTo(Ack.rejected("strict: 2"));
    assertThat(flight.answer(rejected)).isEqualTo(Ack.rejected("3"));
    assertThat(flight.answer(delivered)).isEqualTo(Ack.delivered());
  }

  @Test
  void reads_what_the_publisher_throws_for_all_without_an_answer() throws Exception {
    Envelope answered = keyed("a");
    Envelope open = keyed("b");
    RecordingFlight flight = RecordingFlight.of(answered, open);
    Publisher publisher =
        each -> {
          each.ack(answered, Ack.delivered());
          throw new IllegalArgumentException("gone");
        };

    publisher.classify(ClassifyTest::strict).publish(flight);

    assertThat(flight.answer(answered)).isEqualTo(Ack.delivered());
    assertThat(flight.answer(open)).isEqualTo(Ack.rejected("strict: gone"));
    assertThat(flight.ignored()).isZero();
  }

  @Test
  void reads_what_a_transactional_publisher_throws_once_its_effects_are_undone() throws Exception {
    List<String> calls = new ArrayList<>();
    Envelope answered = keyed("a");
    Envelope open = keyed("b");
    RecordingFlight flight = RecordingFlight.in(RecordingConnection.of(calls), answered, open);
    Publisher own =
        OwnTransactional.of(
            each -> {
              each.transaction().nativeSQL("effect");
              each.ack(answered, Ack.delivered());
              throw new IllegalArgumentException("gone");
            });

    own.classify(ClassifyTest::strict).publish(flight);

    assertThat(calls).containsExactly("setSavepoint", "nativeSQL", "rollback");
    assertThat(flight.answer(answered)).isEqualTo(Ack.rejected("strict: gone"));
    assertThat(flight.answer(open)).isEqualTo(Ack.rejected("strict: gone"));
    assertThat(flight.ignored()).isZero();
  }

  @Test
  void a_failure_read_as_Delivered_does_not_stop_its_key() throws Exception {
    List<Envelope> sent = new ArrayList<>();
    Envelope first = keyed("a");
    Envelope second = keyed("a");
    RecordingFlight flight = RecordingFlight.of(first, second);

    Publisher.blocking(
            each -> {
              sent.add(each);
              if (each.equals(first)) {
                throw new IllegalStateException("duplicate");
              }
            })
        .classify(ClassifyTest::strict)
        .publish(flight);

    assertThat(sent).containsExactly(first, second);
    assertThat(flight.kinds()).containsExactly(Ack.Delivered.class, Ack.Delivered.class);
  }

  @Test
  void a_message_that_was_never_sent_is_never_rejected() throws Exception {
    Envelope first = keyed("a");
    Envelope second = keyed("a");
    RecordingFlight flight = RecordingFlight.of(first, second);
    Publisher blocking =
        Publisher.blocking(
            each -> {
              throw new IllegalArgumentException("bad");
            });

    blocking.classify(ClassifyTest::strict).publish(flight);

    assertThat(flight.kinds()).containsExactly(Ack.Rejected.class, Ack.NotSent.class);
  }

  @Test
  void classifiers_stack_from_the_inside_out() throws Exception {
    Envelope one = keyed("a");
    RecordingFlight flight = RecordingFlight.of(one);
    RuntimeException bad = new RuntimeException("bad");
    RuntimeException worse = new RuntimeException("worse");

    Publisher.blocking(
            each -> {
              throw bad;
            })
        .classify(thrown -> Ack.failed(thrown == bad ? worse : thrown))
        .classify(thrown -> Ack.rejected(thrown.getMessage()))
        .publish(flight);

    assertThat(flight.answer(one)).isEqualTo(Ack.rejected("worse"));
  }

  @Test
  void a_classifier_that_throws_or_says_nothing_changes_nothing() throws Exception {
    RuntimeException bad = new RuntimeException("bad");
    Publisher publisher =
        Publisher.blocking(
            each -> {
              throw bad;
            });
    Publisher custom = each -> each.ack(each.envelopes().get(0), Ack.failed(bad));
    List<Function<Throwable, Ack>> broken =
        List.of(
            thrown -> null,
            thrown -> {
              throw new IllegalStateException("classifier");
            },
            thrown -> {
              throw new AssertionError("classifier");
            });

    for (Function<Throwable, Ack> classifier : broken) {
      for (Publisher each : List.of(publisher, custom)) {
        Envelope one = keyed("a");
        RecordingFlight flight = RecordingFlight.of(one);
        each.classify(classifier).publish(flight);
        assertThat(flight.answer(one)).isEqualTo(Ack.failed(bad));
      }
    }
  }

  @Test
  void a_classifier_that_throws_is_a_warning_once() {
    Function<Throwable, Ack> broken =
        thrown -> {
          throw new IllegalStateException("no text");
        };
    Publisher blocking =
        Publisher.blocking(
            each -> {
              throw new RuntimeException("bad");
            });
    Publisher custom = each -> each.ack(each.envelopes().get(0), Ack.failed(new Exception("bad")));

    for (Publisher each : List.of(blocking.classify(broken), custom.classify(broken))) {
      List<String> lines =
          LogLines.of(
              () -> {
                fly(each);
                fly(each);
              });

      assertThat(lines)
          .filteredOn(line -> line.contains("WARN"))
          .singleElement()
          .asString()
          .contains("a classifier threw, so the failure is read without it");
      assertThat(lines).anyMatch(line -> line.endsWith("IllegalStateException: no text"));
    }
  }

  private static void fly(Publisher publisher) {
    try {
      publisher.publish(RecordingFlight.of(keyed("a")));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_topic_without_a_publisher_stays_Unavailable_whatever_the_classifier_says()
      throws Exception {
    Envelope unknown = envelope("unknown", null);
    Envelope known = envelope("orders", null);
    RecordingFlight flight = RecordingFlight.of(unknown, known);
    Publisher failing =
        Publisher.blocking(
            each -> {
              throw new IllegalArgumentException("bad");
            });

    Publisher.route(Map.of("orders", failing)).classify(ClassifyTest::strict).publish(flight);

    assertThat(flight.kinds()).containsExactly(Ack.Unavailable.class, Ack.Rejected.class);
  }

  @Test
  void keeps_what_the_publisher_promises() {
    Publisher transactional = Publisher.transactional((each, connection) -> {});

    assertThat(transactional.classify(ClassifyTest::strict).isTransactional()).isTrue();
    assertThat(transactional.classify(ClassifyTest::strict).ordering())
        .isEqualTo(Ordering.PIPELINED);
    assertThat(Publisher.async(each -> null).classify(ClassifyTest::strict).ordering())
        .isEqualTo(Ordering.PIPELINED);
    Publisher promisesNothing = flight -> {};
    assertThat(promisesNothing.classify(ClassifyTest::strict).ordering())
        .isEqualTo(Ordering.ONE_PER_KEY);
  }

  private static Ack strict(Throwable thrown) {
    return thrown instanceof IllegalStateException && "duplicate".equals(thrown.getMessage())
        ? Ack.delivered()
        : Ack.rejected("strict: " + thrown.getMessage());
  }
}
