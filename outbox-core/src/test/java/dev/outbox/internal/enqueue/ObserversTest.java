package dev.outbox.internal.enqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.LogLines;
import dev.outbox.message.EnqueueObserver;
import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import java.util.List;
import java.util.Map;
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
}
