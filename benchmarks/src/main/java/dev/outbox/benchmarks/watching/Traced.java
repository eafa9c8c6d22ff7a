package dev.outbox.benchmarks.watching;

import dev.outbox.Outbox;
import dev.outbox.opentelemetry.OutboxTracing;
import dev.outbox.publish.Publisher;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.Collection;

/**
 * Traces by OpenTelemetry's SDK, of which one in a hundred is sampled and goes to an exporter that
 * forgets it.
 *
 * <p>Safe for use by many threads.
 */
public final class Traced implements Watching {
  private static final double SAMPLED = 0.01;

  private final OpenTelemetrySdk openTelemetry =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(SAMPLED)))
                  .addSpanProcessor(BatchSpanProcessor.builder(new Forgetting()).build())
                  .build())
          .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
          .build();
  private final OutboxTracing tracing;

  /** Every context is stored, or with {@code onlySampled} those that are sampled. */
  public Traced(boolean onlySampled) {
    OutboxTracing.Builder builder = OutboxTracing.builder(openTelemetry);
    this.tracing = (onlySampled ? builder.onlySampled() : builder).build();
  }

  @Override
  public void watch(Outbox.Builder outbox) {
    outbox.observer(tracing);
  }

  @Override
  public Publisher watch(Publisher publisher) {
    return publisher.observed(tracing);
  }

  @Override
  public void close() {
    openTelemetry.close();
  }

  private static final class Forgetting implements SpanExporter {
    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
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
}
