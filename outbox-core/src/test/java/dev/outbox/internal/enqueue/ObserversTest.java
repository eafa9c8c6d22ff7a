package dev.outbox.internal.enqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Claiming;
import dev.outbox.internal.relay.LogLines;
import dev.outbox.json.JacksonCodec;
import dev.outbox.message.EnqueueObserver;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.spi.Layout;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ObserversTest {
  private static final Envelope ENVELOPE =
      new Envelope(
          MessageId.next(), "t", null, Map.of(), new Payload("text/plain", new byte[0]), null);

  private static EnqueueObserver throwing(String why) {
    return new EnqueueObserver() {
      @Override
      public Map<String, String> writing(Envelope envelope) {
        throw new IllegalStateException(why);
      }
    };
  }

  /** A thousand messages a second would be a thousand stack traces a second. */
  @Test
  void each_observer_that_throws_at_every_message_is_told_once() {
    Observers observers = new Observers(List.of(throwing("first"), throwing("second")));
    List<String> lines =
        LogLines.of(
            () -> {
              for (int message = 0; message < 100; message++) {
                observers.writing(ENVELOPE);
              }
            });
    assertThat(lines).filteredOn(line -> line.contains("an observer of enqueues threw")).hasSize(2);
    assertThat(lines).filteredOn(line -> line.endsWith("IllegalStateException: first")).hasSize(1);
    assertThat(lines).filteredOn(line -> line.endsWith("IllegalStateException: second")).hasSize(1);
  }

  /** Each topic may have a broker of its own, and so a reason of its own. */
  @Test
  void headers_that_are_left_out_are_told_once_for_each_topic_and_for_no_more_than_100() {
    EnqueueObserver adding =
        new EnqueueObserver() {
          @Override
          public Map<String, String> writing(Envelope envelope) {
            return Map.of("traceparent", "00");
          }
        };
    Envelopes envelopes =
        new Envelopes(
            new Layout(3, 1, Claiming.LANES),
            JacksonCodec.create(),
            List.of(),
            new Observers(List.of(adding)),
            100,
            100,
            sent -> sent.headers().isEmpty() ? null : "no header fits");

    assertThat(leftOut(envelopes, "mails", "orders", "mails", "orders")).hasSize(2);
    assertThat(leftOut(envelopes, "mails", "orders")).isEmpty();
    String[] many = IntStream.range(0, 1000).mapToObj(n -> "topic" + n).toArray(String[]::new);
    assertThat(leftOut(envelopes, many)).hasSize(98);
  }

  private static List<String> leftOut(Envelopes envelopes, String... topics) {
    return LogLines.of(
            () -> Stream.of(topics).forEach(topic -> envelopes.of(Message.to(topic).text("one"))))
        .stream()
        .filter(line -> line.contains("headers of observers are left out of a message"))
        .toList();
  }
}
