package dev.outbox.spring.modulith;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.util.ClassUtils;

/**
 * What an event is mapped to: a payload, and headers where it is a {@code Message} of Spring. The
 * id and time of that are not among them: the outbox has its own.
 */
record MappedEvent(Object payload, Map<String, Object> headers) {
  private static final boolean HAS_MESSAGES =
      ClassUtils.isPresent(
          "org.springframework.messaging.Message", MappedEvent.class.getClassLoader());

  static MappedEvent of(Object mapped) {
    return HAS_MESSAGES && mapped instanceof Message<?> message
        ? of(message)
        : new MappedEvent(mapped, Map.of());
  }

  private static MappedEvent of(Message<?> message) {
    Map<String, Object> headers = new LinkedHashMap<>(message.getHeaders());
    headers.keySet().removeAll(Set.of(MessageHeaders.ID, MessageHeaders.TIMESTAMP));
    return new MappedEvent(message.getPayload(), headers);
  }

  /** All headers as texts; of two with one name that of {@code configured} counts. */
  Map<String, String> headers(Map<String, Object> configured) {
    Map<String, String> texts = new LinkedHashMap<>();
    headers.forEach((name, value) -> texts.put(name, text(value)));
    configured.forEach((name, value) -> texts.put(name, text(value)));
    return texts;
  }

  private static String text(Object value) {
    return value instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.UTF_8)
        : String.valueOf(value);
  }
}
