package dev.outbox.message;

import dev.outbox.internal.text.JsonSyntax;
import dev.outbox.internal.text.StorableInstant;
import dev.outbox.internal.text.StorableText;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the application hands in: a topic, an optional key, headers and a payload.
 *
 * <p>Immutable. Built in stages, so that no message lacks its payload:
 *
 * <pre>{@code
 * Message.to("orders.placed").key(order.id()).header("tenant", "acme").payload(order);
 * }</pre>
 */
public final class Message {
  /** The longest topic, in UTF-16 characters. */
  public static final int MAX_TOPIC_LENGTH = 255;

  /** The longest key of {@link Draft#dedupeKey}, in UTF-16 characters. */
  public static final int MAX_DEDUPE_KEY_LENGTH = 255;

  /** The longest header name, in UTF-16 characters. */
  public static final int MAX_HEADER_NAME_LENGTH = 255;

  private static final Duration MAX_DELAY = Duration.ofDays(3650);

  private final String topic;
  private final @Nullable Key key;
  private final Map<String, String> headers;
  private final @Nullable Due due;
  private final @Nullable Instant notAfter;
  private final @Nullable String dedupeKey;
  private final Object content;

  private Message(Draft draft, Object content) {
    this.topic = draft.topic;
    this.key = draft.key;
    this.headers = Collections.unmodifiableMap(new LinkedHashMap<>(draft.headers));
    this.due = draft.due;
    this.notAfter = draft.notAfter;
    this.dedupeKey = draft.dedupeKey;
    this.content = content;
  }

  /**
   * Begins a message to {@code topic}.
   *
   * @throws IllegalArgumentException when the topic is empty, of blanks only, longer than {@value
   *     #MAX_TOPIC_LENGTH} characters, or not storable on every database
   */
  public static Draft to(String topic) {
    return new Draft(topic);
  }

  public String topic() {
    return topic;
  }

  /** The ordering key, or null. */
  public @Nullable Key key() {
    return key;
  }

  /** The headers in the order in which they were given. */
  public Map<String, String> headers() {
    return headers;
  }

  /** When the message falls due, or null for at once. */
  public @Nullable Due due() {
    return due;
  }

  /** The instant past which the message is dead-lettered instead of published, or null. */
  public @Nullable Instant notAfter() {
    return notAfter;
  }

  /** The key that it is enqueued once by, or null. */
  public @Nullable String dedupeKey() {
    return dedupeKey;
  }

  /**
   * The encoded payload: objects through {@code codec}, bytes and text as they were given, {@link
   * Reference#UNRESOLVED} for a reference.
   */
  public Payload payload(PayloadCodec codec) {
    if (content instanceof Reference) {
      return Reference.UNRESOLVED;
    }
    return content instanceof Payload payload ? payload : codec.encode(content);
  }

  /** The row in which the payload is, or null when the message carries it. */
  public @Nullable Reference reference() {
    return content instanceof Reference reference ? reference : null;
  }

  @Override
  public String toString() {
    return "Message[topic=%s, key=%s]".formatted(topic, key);
  }

  /** When a delayed message falls due, judged by the database's clock. */
  public sealed interface Due {
    /** At an instant. */
    record At(Instant instant) implements Due {}

    /** This long after the moment of the enqueue, by the database's clock. */
    record After(Duration delay) implements Due {}
  }

  /**
   * A message that still lacks its payload. The methods before the payload may come in any order;
   * {@code payload}, {@code json}, {@code text}, {@code bytes} or {@code reference} ends the draft.
   * Used by one thread.
   */
  public static final class Draft {
    private final String topic;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private @Nullable Key key;
    private @Nullable Due due;
    private @Nullable Instant notAfter;
    private @Nullable String dedupeKey;

    private Draft(String topic) {
      StorableText.checkName("topic", topic, MAX_TOPIC_LENGTH);
      this.topic = topic;
    }

    /**
     * Messages of this topic with this key leave in order. Without a key there is no order.
     *
     * @throws IllegalArgumentException when the key breaks a rule of {@link Key}
     */
    public Draft key(String key) {
      this.key = new Key(key);
      return this;
    }

    /** As {@link #key(String)}, with the number in decimal. */
    public Draft key(long key) {
      return key(Long.toString(key));
    }

    /** As {@link #key(String)}, with the UUID's text. */
    public Draft key(UUID key) {
      return key(Objects.requireNonNull(key, Key.MISSING).toString());
    }

    /**
     * Adds a header; it reaches the publisher as it is. Values may be empty.
     *
     * @throws IllegalArgumentException when the name is empty, too long or given twice, or name or
     *     value is not storable on every database
     */
    public Draft header(String name, String value) {
      StorableText.check("header name", name, MAX_HEADER_NAME_LENGTH);
      StorableText.checkCharacters("header " + name, value);
      if (headers.putIfAbsent(name, value) != null) {
        throw new IllegalArgumentException("header " + name + " is given twice");
      }
      return this;
    }

    /** Adds several headers, in the map's order, each as {@link #header} does. */
    public Draft headers(Map<String, String> more) {
      Objects.requireNonNull(more, "headers").forEach(this::header);
      return this;
    }

    /** Publishes it not before {@code instant}, by the database's clock. Default: at once. */
    public Draft deliverAt(Instant instant) {
      this.due = new Due.At(StorableInstant.checked("deliverAt", instant));
      return this;
    }

    /**
     * Publishes the message not before {@code delay} after enqueue, by the database's clock.
     * Default: at once.
     *
     * @throws IllegalArgumentException when the delay is negative or longer than 3,650 days
     */
    public Draft deliverAfter(Duration delay) {
      if (Objects.requireNonNull(delay, "deliverAfter").isNegative()) {
        throw new IllegalArgumentException("deliverAfter is " + delay + ", the minimum is zero");
      }
      if (delay.compareTo(MAX_DELAY) > 0) {
        throw new IllegalArgumentException(
            "deliverAfter is " + delay + ", the limit is " + MAX_DELAY.toDays() + " days");
      }
      this.due = new Due.After(delay);
      return this;
    }

    /**
     * Past this instant the message ends as a dead letter (EXPIRED) instead of being published.
     * Default: never.
     */
    public Draft notAfter(Instant instant) {
      this.notAfter = StorableInstant.checked("notAfter", instant);
      return this;
    }

    /**
     * Enqueues the message once: while a message of this topic with this key is remembered, another
     * one is not written, and the first one's id is returned in its stead. The key is forgotten
     * after the outbox's {@code dedupeRetention}; it needs the table {@code outbox_dedupe}, see
     * {@code Schema.Part.DEDUPE}. Default: every message is written.
     *
     * @throws IllegalArgumentException when the key is empty, longer than {@value
     *     #MAX_DEDUPE_KEY_LENGTH} characters, or not storable on every database
     */
    public Draft dedupeKey(String dedupeKey) {
      StorableText.check("dedupeKey", dedupeKey, MAX_DEDUPE_KEY_LENGTH);
      this.dedupeKey = dedupeKey;
      return this;
    }

    /**
     * Ends the draft with an object, encoded by the outbox's codec when it is enqueued.
     *
     * @throws IllegalArgumentException when it is a text or a byte[], which a codec would put in
     *     quotes
     */
    public Message payload(Object payload) {
      if (payload instanceof CharSequence || payload instanceof byte[]) {
        throw new IllegalArgumentException(
            "payload is a %s; use json(text) for JSON, text(text) for plain text, or bytes(..) for bytes"
                .formatted(payload.getClass().getSimpleName()));
      }
      return new Message(this, Objects.requireNonNull(payload, "payload"));
    }

    /**
     * Ends the draft with JSON text, stored as it is, type {@code application/json}.
     *
     * @throws IllegalArgumentException when the text is not one storable JSON value
     */
    public Message json(String json) {
      return new Message(this, new Payload("application/json", JsonSyntax.utf8("json", json)));
    }

    /** Ends the draft with bytes of type {@code application/octet-stream}; copied. */
    public Message bytes(byte[] bytes) {
      return bytes(bytes, "application/octet-stream");
    }

    /**
     * Ends the draft with bytes of your own type; copied.
     *
     * @throws IllegalArgumentException when the content type is empty or longer than 255 characters
     */
    public Message bytes(byte[] bytes, String contentType) {
      return new Message(
          this, new Payload(contentType, Objects.requireNonNull(bytes, "bytes").clone()));
    }

    /**
     * Ends the draft with text, stored as UTF-8, type {@code text/plain; charset=utf-8}.
     *
     * @throws IllegalArgumentException when the text has half a surrogate pair
     */
    public Message text(String text) {
      return new Message(
          this, new Payload("text/plain; charset=utf-8", StorableText.utf8("text", text)));
    }

    /**
     * Ends the draft with the row that has the payload: only table and id are stored, and the relay
     * loads the payload when it publishes, as the row is then. The relay needs {@code
     * Publisher.resolving}.
     *
     * @throws IllegalArgumentException when the table or the id breaks a rule of {@link Reference}
     */
    public Message reference(String table, String id) {
      return new Message(this, new Reference(table, id));
    }

    /** As {@link #reference(String, String)}, with the number in decimal. */
    public Message reference(String table, long id) {
      return reference(table, Long.toString(id));
    }

    /** As {@link #reference(String, String)}, with the UUID's text. */
    public Message reference(String table, UUID id) {
      return reference(table, Objects.requireNonNull(id, "reference id").toString());
    }
  }
}
