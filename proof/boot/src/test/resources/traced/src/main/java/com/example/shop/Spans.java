package com.example.shop;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Exports spans into the log. */
@Component
public class Spans implements SpanExporter {
  private static final Logger log = LoggerFactory.getLogger(Spans.class);

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    spans.forEach(
        span ->
            log.info(
                "span {} {} below {}: {} {}.",
                span.getTraceId(),
                span.getSpanId(),
                span.getParentSpanId(),
                span.getKind(),
                span.getName()));
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public CompletableResultCode flush() {
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public CompletableResultCode shutdown() {
    return CompletableResultCode.ofSuccess();
  }
}
