package dev.outbox.testkit.assertj;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.PayloadCodec;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions on some messages: each call keeps those that match, and fails when none does, with a
 * list of those that were left before.
 *
 * <pre>{@code
 * assertThat(kit)
 *     .hasEnqueued("orders.placed")
 *     .withKey("42")
 *     .withHeader("tenant", "acme")
 *     .withPayload(order)
 *     .once();
 * assertThat(broker).hasReceived("orders.placed").withKey("42").inOrder("placed", "paid");
 * assertThat(broker).hasReceived("mails").withoutKey().withText("hello").times(2);
 * assertThat(broker).hasReceived("mails").withId(id).repeated(1);
 * assertThat(broker).hasReceived("mails").withBytes(new byte[] {1});
 * assertThat(broker).hasReceived("mails").which("expires", each -> each.notAfter() != null);
 * }</pre>
 */
public final class MessagesAssert
    extends AbstractAssert<MessagesAssert, List<MessagesAssert.Sighting>> {
  private final String wanted;
  private final PayloadCodec codec;

  MessagesAssert(List<Sighting> sightings, String wanted, PayloadCodec codec) {
    super(sightings, MessagesAssert.class);
    this.wanted = wanted;
    this.codec = codec;
  }

  /**
   * A message and where it was seen.
   *
   * <p>Immutable.
   */
  public record Sighting(String where, Envelope envelope) {
    boolean isOver() {
      return where.startsWith("delivered") || where.equals("dead");
    }

    /** A line for a person. */
    @Override
    public String toString() {
      return Row.of(where, envelope);
    }
  }

  MessagesAssert ofTopic(String topic) {
    return with("for topic " + topic, envelope -> envelope.topic().equals(topic));
  }

  /** With this key. */
  public MessagesAssert withKey(String key) {
    return with("with key " + key, envelope -> new Key(key).equals(envelope.key()));
  }

  /** With this key, in decimal. */
  public MessagesAssert withKey(long key) {
    return withKey(Long.toString(key));
  }

  /** Without a key. */
  public MessagesAssert withoutKey() {
    return with("without a key", envelope -> envelope.key() == null);
  }

  /** With this id. */
  public MessagesAssert withId(MessageId id) {
    return with("with id " + id, envelope -> envelope.id().equals(id));
  }

  /** With this header. */
  public MessagesAssert withHeader(String name, String value) {
    return with(
        "with header %s=%s".formatted(name, value),
        envelope -> value.equals(envelope.headers().get(name)));
  }

  /** Whose payload is this text. */
  public MessagesAssert withText(String text) {
    return with("with text '" + text + "'", envelope -> envelope.payload().text().equals(text));
  }

  /** Whose payload are these bytes. */
  public MessagesAssert withBytes(byte[] bytes) {
    return with(
        "with these %d bytes".formatted(bytes.length),
        envelope -> Arrays.equals(envelope.payload().bytes(), bytes));
  }

  /** Whose payload, decoded as the class of {@code expected}, equals it. */
  public MessagesAssert withPayload(Object expected) {
    Set<String> causes = new LinkedHashSet<>();
    return with(
        "with payload " + expected,
        envelope -> isPayload(envelope, expected, causes),
        () ->
            causes.isEmpty()
                ? ""
                : "\nsome could not be read as %s%s"
                    .formatted(
                        expected.getClass().getName(),
                        Listing.of(List.copyOf(causes), cause -> cause)));
  }

  /** One of another type is another payload; why it cannot be read is told when none is left. */
  private boolean isPayload(Envelope envelope, Object expected, Set<String> causes) {
    try {
      return expected.equals(codec.decode(envelope.payload(), expected.getClass()));
    } catch (IllegalArgumentException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      causes.add(String.valueOf(cause.getMessage()).lines().findFirst().orElse(""));
      return false;
    }
  }

  /** That fits; {@code description} follows "message" in a failure's text. */
  public MessagesAssert which(String description, Predicate<Envelope> fits) {
    return with(description, fits);
  }

  /** One message is left, and it was seen once. For several, see {@link #repeated}. */
  public MessagesAssert once() {
    if (actual.size() != 1) {
      failWithMessage("expected once: %s\nbut there are%s", wanted, list());
    }
    return this;
  }

  /** That many of them are repeats of others: 0 when each was seen once. */
  public MessagesAssert repeated(int count) {
    long distinct = actual.stream().map(sighting -> sighting.envelope().id()).distinct().count();
    if (actual.size() - distinct != count) {
      failWithMessage("expected %s repeats: %s\nbut there are%s", count, wanted, list());
    }
    return this;
  }

  /**
   * That many different ones are left, repeats not counted.
   *
   * @throws IllegalArgumentException when the count is below 1: there is always one left here
   */
  public MessagesAssert times(int count) {
    if (count < 1) {
      throw new IllegalArgumentException(
          "times is %d, the minimum is 1; for none, use hasReceivedNothing(topic) of a broker or hasNothingEnqueued(topic) of a kit"
              .formatted(count));
    }
    long distinct = actual.stream().map(sighting -> sighting.envelope().id()).distinct().count();
    if (distinct != count) {
      failWithMessage("expected %s times: %s\nbut there are%s", count, wanted, list());
    }
    return this;
  }

  /** Their payloads, read as text, are exactly these in this order, repeats left out. */
  public MessagesAssert inOrder(String... texts) {
    Map<MessageId, String> first = new LinkedHashMap<>();
    actual.forEach(
        seen -> first.putIfAbsent(seen.envelope().id(), seen.envelope().payload().text()));
    if (!List.copyOf(first.values()).equals(List.of(texts))) {
      failWithMessage(
          "expected: %s\nin this order: %s\nbut there are%s", wanted, List.of(texts), list());
    }
    return this;
  }

  private MessagesAssert with(String criterion, Predicate<Envelope> fits) {
    return with(criterion, fits, () -> "");
  }

  private MessagesAssert with(
      String criterion, Predicate<Envelope> fits, Supplier<String> whyNone) {
    List<Sighting> left =
        actual.stream().filter(sighting -> fits.test(sighting.envelope())).toList();
    if (left.isEmpty()) {
      failWithMessage(
          "expected: %s %s\nbut of \"%s\" there are%s%s",
          wanted, criterion, wanted, list(), whyNone.get());
    }
    return new MessagesAssert(left, wanted + " " + criterion, codec).as(descriptionText());
  }

  private String list() {
    return Listing.of(actual, Sighting::toString);
  }
}
