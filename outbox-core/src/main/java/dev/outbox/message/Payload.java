package dev.outbox.message;

import dev.outbox.internal.text.StorableText;
import java.nio.charset.StandardCharsets;

/**
 * The encoded content of a message: its bytes and what they are.
 *
 * <p>The bytes are shared, not copied: treat them as read-only.
 *
 * <pre>{@code
 * Payload payload = envelope.payload();
 * System.out.println(payload.contentType() + " " + payload.text());
 * }</pre>
 */
@SuppressWarnings(
    "ArrayRecordComponent") // copying a payload at every look would cost more than trust
public record Payload(String contentType, byte[] bytes) {
  /** The longest content type, in characters. */
  public static final int MAX_CONTENT_TYPE_LENGTH = 255;

  /**
   * @throws IllegalArgumentException when the content type is empty or too long
   */
  public Payload {
    StorableText.check("content type", contentType, MAX_CONTENT_TYPE_LENGTH);
  }

  /** The bytes read as UTF-8. */
  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The type and the size; never the content. */
  @Override
  public String toString() {
    return contentType + ", " + bytes.length + " bytes";
  }
}
