package dev.outbox.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MessageLimitsTest {
  private static final MessageLimits SHORT_KEYS =
      envelope ->
          envelope.key() != null && envelope.key().value().length() > 2 ? "the key is long" : null;
  private static final MessageLimits NO_DOTS =
      envelope -> envelope.topic().contains(".") ? "the topic has a dot" : null;

  private static Envelope envelope(String topic, String key) {
    return new Envelope(
        MessageId.next(),
        topic,
        new Key(key),
        Map.of(),
        new Payload("text/plain", new byte[0]),
        null);
  }

  @Test
  void both_must_hold_it() {
    MessageLimits both = SHORT_KEYS.and(NO_DOTS);

    assertThat(both.refusal(envelope("orders", "42"))).isNull();
    assertThat(both.refusal(envelope("orders", "421"))).isEqualTo("the key is long");
    assertThat(both.refusal(envelope("orders.placed", "42"))).isEqualTo("the topic has a dot");
    assertThat(both.refusal(envelope("orders.placed", "421"))).isEqualTo("the key is long");
  }

  @Test
  void limits_of_one_topic_leave_the_others() {
    MessageLimits mails = SHORT_KEYS.onlyFor("mails");

    assertThat(mails.refusal(envelope("mails", "421"))).isEqualTo("the key is long");
    assertThat(mails.refusal(envelope("orders", "421"))).isNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SHORT_KEYS.onlyFor(" "))
        .withMessageStartingWith("topic has blanks only; ");
  }

  @Test
  void none_holds_everything() {
    assertThat(MessageLimits.none().refusal(envelope("orders.placed", "421"))).isNull();
  }
}
