package dev.outbox.spring.modulith;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.modulith.events.support.BrokerRouting;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Enqueues what Spring Modulith externalizes, in the transaction that publishes the event: its
 * target is the topic, its key the key, what it is mapped to the payload. A {@code Message} of
 * Spring is its payload and headers.
 *
 * <p>Safe for use by many threads.
 */
public final class EventRecorder
    implements ApplicationListener<ApplicationEvent>, BeanFactoryAware {
  private static final String OF_SPRING = "org.springframework.";

  private final StandardEvaluationContext expressions = new StandardEvaluationContext();
  private final Outbox.Joined outbox;
  private final EventExternalizationConfiguration configuration;

  /** Enqueues by {@code outbox} what {@code configuration} selects. */
  public EventRecorder(Outbox.Joined outbox, EventExternalizationConfiguration configuration) {
    this.outbox = outbox;
    this.configuration = configuration;
  }

  /** Expressions of targets and keys may name its beans. */
  @Override
  public void setBeanFactory(BeanFactory beans) {
    expressions.setBeanResolver(new BeanFactoryResolver(beans));
  }

  @Override
  public void onApplicationEvent(ApplicationEvent published) {
    Object event =
        published instanceof PayloadApplicationEvent<?> carrier ? carrier.getPayload() : published;
    boolean counts =
        !isOfSpring(published) || TransactionSynchronizationManager.isActualTransactionActive();
    if (counts && configuration.supports(event)) {
      outbox.enqueue(message(event));
    }
  }

  /** Spring publishes its own without a transaction too, where those of others are refused. */
  private static boolean isOfSpring(ApplicationEvent published) {
    return published.getClass() != PayloadApplicationEvent.class
        && published.getClass().getName().startsWith(OF_SPRING);
  }

  /** Called by the thread that publishes, so not for another one later. */
  @Override
  public boolean supportsAsyncExecution() {
    return false;
  }

  private Message message(Object event) {
    RoutingTarget target = configuration.determineTarget(event);
    BrokerRouting routing = BrokerRouting.of(target, expressions);
    Message.Draft draft = Message.to(routing.getTarget(event));
    // beside a target by expression, Modulith takes the expression's text for a missing key
    String key = target.getKey() == null ? null : routing.getKey(event);
    if (key != null && !key.isEmpty()) {
      draft.key(key);
    }
    MappedEvent mapped = MappedEvent.of(configuration.map(event));
    draft.headers(mapped.headers(configuration.getHeadersFor(event)));
    if (mapped.payload() instanceof byte[] bytes) {
      return draft.bytes(bytes);
    }
    return mapped.payload() instanceof String text
        ? draft.text(text)
        : draft.payload(mapped.payload());
  }
}
