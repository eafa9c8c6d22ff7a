package dev.outbox.opentelemetry;

import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Contexts in the headers of messages, as the propagator writes and reads them.
 *
 * <p>Safe for use by many threads.
 */
final class Carriers {
  private static final Logger log = LoggerFactory.getLogger(Carriers.class);
  private static final String BAGGAGE =
      W3CBaggagePropagator.getInstance().fields().iterator().next();
  private static final TextMapGetter<Map<String, String>> HEADERS = new Headers();

  private final TextMapPropagator propagator;
  private final int maxBaggageBytes;
  private final AtomicBoolean warned = new AtomicBoolean();

  Carriers(TextMapPropagator propagator, int maxBaggageBytes) {
    this.propagator = propagator;
    this.maxBaggageBytes = maxBaggageBytes;
  }

  /** True when the headers have a context already: it is the application's own. */
  boolean isIn(Map<String, String> headers) {
    return propagator.fields().stream()
        .filter(field -> !field.equals(BAGGAGE))
        .anyMatch(headers::containsKey);
  }

  /** The headers that carry the context. */
  Map<String, String> headers(Context context) {
    Map<String, String> headers = new HashMap<>();
    propagator.inject(context, headers, Carriers::put);
    String baggage = headers.get(BAGGAGE);
    if (baggage != null && bytes(baggage) > maxBaggageBytes) {
      headers.remove(BAGGAGE);
      tell(bytes(baggage));
    }
    return headers;
  }

  private static void put(@Nullable Map<String, String> headers, String name, String value) {
    if (headers != null) {
      headers.put(name, value);
    }
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private void tell(int bytes) {
    if (warned.compareAndSet(false, true)) {
      log.warn(
          "baggage of {} bytes is left out of messages, the limit is {}; raise OutboxTracing.builder(..).maxBaggage(bytes)",
          bytes,
          maxBaggageBytes);
    }
  }

  /** The context that the headers carry; without one, that of no trace. */
  Context context(Map<String, String> headers) {
    return propagator.extract(Context.root(), headers, HEADERS);
  }

  /** The span context that the headers carry; without one, that of no trace. */
  SpanContext creator(Map<String, String> headers) {
    return Span.fromContext(context(headers)).getSpanContext();
  }

  private static final class Headers implements TextMapGetter<Map<String, String>> {
    @Override
    public Iterable<String> keys(Map<String, String> headers) {
      return headers.keySet();
    }

    @Override
    public @Nullable String get(@Nullable Map<String, String> headers, String name) {
      return headers == null ? null : headers.get(name);
    }
  }
}
