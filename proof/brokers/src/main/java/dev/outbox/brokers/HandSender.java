package dev.outbox.brokers;

import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How one sends by hand with a broker's own client, durably, with the same mapping as the ready
 * publisher. Used by one thread.
 */
public interface HandSender extends AutoCloseable {
  /** A message as an outbox written by hand has it in its table; a null key is none. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Row(UUID id, String topic, @Nullable String key, String contentType, byte[] payload) {}

  void send(Row row) throws Exception;

  /** Waits until the broker has confirmed all that was sent. */
  void await() throws Exception;

  @Override
  void close() throws IOException;
}
