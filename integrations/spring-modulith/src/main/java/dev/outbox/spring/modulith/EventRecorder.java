package dev.outbox.spring.modulith;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.support.BrokerRouting;

/**
 * Enqueues what Spring Modulith externalizes, in the transaction that publishes the event: its
 * target is the topic, its key the key, what it is mapped to the payload.
 *
 * <p>Safe for use by many threads.
 */
public final class EventRecorder implements ApplicationListener<PayloadApplicationEvent<?>> {
  private final Outbox.Joined outbox;
  private final EventExternalizationConfiguration configuration;

  /** Enqueues by {@code outbox} what {@code configuration} selects. */
  public EventRecorder(Outbox.Joined outbox, EventExternalizationConfiguration configuration) {
    this.outbox = outbox;
    this.configuration = configuration;
  }

  @Override
  public void onApplicationEvent(PayloadApplicationEvent<?> published) {
    Object event = published.getPayload();
    if (configuration.supports(event)) {
      outbox.enqueue(message(event));
    }
  }

  /** Called by the thread that publishes, so not for another one later. */
  @Override
  public boolean supportsAsyncExecution() {
    return false;
  }

  private Message message(Object event) {
    BrokerRouting routing =
        BrokerRouting.of(configuration.determineTarget(event), new StandardEvaluationContext());
    Message.Draft draft = Message.to(routing.getTarget(event));
    String key = routing.getKey(event);
    if (key != null && !key.isEmpty()) {
      draft.key(key);
    }
    configuration
        .getHeadersFor(event)
        .forEach((name, value) -> draft.header(name, String.valueOf(value)));
    Object mapped = configuration.map(event);
    return mapped instanceof String text ? draft.text(text) : draft.payload(mapped);
  }
}
