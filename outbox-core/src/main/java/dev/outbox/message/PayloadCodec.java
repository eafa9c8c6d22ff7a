package dev.outbox.message;

/**
 * Turns payload objects into bytes and back.
 *
 * <p>Implementations must be safe for use by many threads.
 *
 * <pre>{@code
 * PayloadCodec codec = JacksonCodec.create();
 * Payload payload = codec.encode(new Order(42));
 * Order order = codec.decode(payload, Order.class);
 * }</pre>
 */
public interface PayloadCodec {
  /**
   * Encodes a payload object.
   *
   * @throws IllegalArgumentException when the object cannot be encoded; its message names the type
   *     and the reason
   */
  Payload encode(Object payload);

  /**
   * Decodes a payload, for consumers and tests.
   *
   * @throws IllegalArgumentException when the bytes are not a {@code type}
   */
  <T> T decode(Payload payload, Class<T> type);
}
