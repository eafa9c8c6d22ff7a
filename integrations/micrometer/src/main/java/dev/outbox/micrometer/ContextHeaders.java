package dev.outbox.micrometer;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The headers of a trace's context, by W3C or by B3; what else a propagator writes is baggage.
 *
 * <p>Safe for use by many threads.
 */
final class ContextHeaders {
  private static final Logger log = LoggerFactory.getLogger(ContextHeaders.class);
  private static final Set<String> CONTEXT =
      Set.of(
          "traceparent",
          "tracestate",
          "b3",
          "X-B3-TraceId",
          "X-B3-SpanId",
          "X-B3-ParentSpanId",
          "X-B3-Sampled",
          "X-B3-Flags");

  private final int maxBaggageBytes;
  private final AtomicBoolean warned = new AtomicBoolean();

  ContextHeaders(int maxBaggageBytes) {
    this.maxBaggageBytes = maxBaggageBytes;
  }

  /** True when the headers have a context already: it is the application's own. */
  static boolean isIn(Map<String, String> headers) {
    return CONTEXT.stream().anyMatch(headers::containsKey);
  }

  /** The headers without their baggage, if that is too much. */
  Map<String, String> bounded(Map<String, String> headers) {
    int bytes = 0;
    Map<String, String> context = new HashMap<>();
    for (Map.Entry<String, String> header : headers.entrySet()) {
      if (CONTEXT.contains(header.getKey())) {
        context.put(header.getKey(), header.getValue());
      } else {
        bytes += bytes(header.getKey()) + bytes(header.getValue());
      }
    }
    if (bytes <= maxBaggageBytes) {
      return headers;
    }
    tell(bytes);
    return context;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private void tell(int bytes) {
    if (warned.compareAndSet(false, true)) {
      log.warn(
          "baggage of {} bytes is left out of messages, the limit is {}; raise OutboxObservations.builder(..).maxBaggage(bytes)",
          bytes,
          maxBaggageBytes);
    }
  }
}
