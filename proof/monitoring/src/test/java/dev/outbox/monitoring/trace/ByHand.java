package dev.outbox.monitoring.trace;

import com.sun.net.httpserver.HttpHandler;
import dev.outbox.opentelemetry.OutboxTracing;
import dev.outbox.opentelemetry.OutboxTracing.Processing;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Scope;

/** The spans of a program without an agent. */
final class ByHand {
  private final OpenTelemetry openTelemetry;
  private final OutboxTracing tracing;

  ByHand(OpenTelemetry openTelemetry, String system) {
    this.openTelemetry = openTelemetry;
    this.tracing = OutboxTracing.builder(openTelemetry).system(system).build();
  }

  Shop.Traced traced() {
    return new Shop.Traced(
        tracing, publisher -> publisher.observed(tracing), this::request, this::order);
  }

  @SuppressWarnings("try") // a scope is there to be closed
  private HttpHandler request(HttpHandler handler) {
    return exchange -> {
      Span span =
          openTelemetry
              .getTracer("shop")
              .spanBuilder(exchange.getRequestMethod() + " " + exchange.getRequestURI())
              .setSpanKind(SpanKind.SERVER)
              .startSpan();
      try (Scope current = span.makeCurrent()) {
        handler.handle(exchange);
      } finally {
        span.end();
      }
    };
  }

  private Orders.Handler order(Orders.Handler handler) {
    return (topic, headers, order) -> {
      try (Processing processing = tracing.process(topic, headers)) {
        try {
          handler.handle(topic, headers, order);
        } catch (RuntimeException e) {
          processing.failed(e);
          throw e;
        }
      }
    };
  }
}
