package dev.outbox.publish;

import static dev.outbox.publish.RecordingFlight.envelope;
import static dev.outbox.publish.RecordingFlight.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What it means that a publisher said nothing in time. */
class UnansweredTest {
  private static final Publisher BLOCKING = Publisher.blocking(each -> {});
  private static final Publisher ASYNC = Publisher.async(each -> null);
  private static final Publisher BATCH = Publisher.batch(each -> List.of());
  private static final Publisher TRANSACTIONAL = Publisher.transactional((each, connection) -> {});
  private static final Publisher CUSTOM = flight -> {};

  private final TimeoutException silence = new TimeoutException("no answer");
  private final Envelope one = keyed("a");

  @Test
  void silence_is_a_failure_although_time_outs_are_outages() {
    assertThat(Ack.of(silence)).isInstanceOf(Ack.Unavailable.class);
    for (Publisher each : all()) {
      assertThat(each.unanswered(one, silence)).isEqualTo(Ack.failed(silence));
    }
  }

  @Test
  void a_classifier_is_asked_about_silence_too() {
    for (Publisher each : all()) {
      Publisher classified = each.classify(thrown -> Ack.unavailable(thrown));

      assertThat(classified.unanswered(one, silence)).isEqualTo(Ack.unavailable(silence));
    }
  }

  @Test
  void classifiers_of_silence_stack_from_the_inside_out() {
    IllegalStateException read = new IllegalStateException("read");
    for (Publisher each : all()) {
      Publisher classified =
          each.classify(thrown -> thrown == silence ? Ack.failed(read) : Ack.rejected("no"))
              .classify(thrown -> Ack.rejected(thrown.getMessage()));

      assertThat(classified.unanswered(one, silence)).isEqualTo(Ack.rejected("read"));
    }
  }

  @Test
  void a_classifier_that_throws_or_says_nothing_leaves_silence_a_failure() {
    List<Function<Throwable, Ack>> broken =
        List.of(
            thrown -> null,
            thrown -> {
              throw new AssertionError("classifier");
            });
    for (Publisher each : all()) {
      for (Function<Throwable, Ack> classifier : broken) {
        assertThat(each.classify(classifier).unanswered(one, silence))
            .isEqualTo(Ack.failed(silence));
      }
    }
  }

  @Test
  void a_route_asks_the_publisher_of_the_topic() {
    Publisher route =
        Publisher.route(
            Map.of("orders", BLOCKING, "invoices", ASYNC.classify(thrown -> Ack.rejected("no"))));

    assertThat(route.unanswered(one, silence)).isEqualTo(Ack.failed(silence));
    assertThat(route.unanswered(envelope("invoices", null), silence)).isEqualTo(Ack.rejected("no"));
    assertThat(route.unanswered(envelope("unknown", null), silence)).isEqualTo(Ack.failed(silence));
  }

  private static List<Publisher> all() {
    return List.of(
        BLOCKING, ASYNC, BATCH, TRANSACTIONAL, CUSTOM, Publisher.route(Map.of("orders", BLOCKING)));
  }
}
