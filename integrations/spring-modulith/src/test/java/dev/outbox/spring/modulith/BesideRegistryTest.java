package dev.outbox.spring.modulith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.Externalized;
import org.springframework.modulith.events.core.EventPublicationRegistry;
import org.springframework.modulith.events.core.EventSerializer;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** The registry of {@code spring-modulith-events-jdbc} is for listeners, the outbox for brokers. */
class BesideRegistryTest {
  private static final BlockingQueue<OrderPlaced> HEARD = new LinkedBlockingQueue<>();

  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withUserConfiguration(Listening.class)
          .withPropertyValues(
              "spring.datasource.generate-unique-name=true",
              "spring.modulith.events.externalization.mode=outbox",
              "spring.modulith.events.jdbc.schema-initialization.enabled=true",
              "outbox.relay.enabled=false");

  @EnableAutoConfiguration
  @Import({Mails.class, Texts.class})
  static class Listening {}

  @Externalized("orders.placed::#{id()}")
  record OrderPlaced(String id, int cents) {}

  static class Mails {
    @TransactionalEventListener
    public void placed(OrderPlaced event) {
      HEARD.add(event);
    }
  }

  /** In place of {@code spring-modulith-events-jackson}. */
  static class Texts implements EventSerializer {
    @Override
    public Object serialize(Object event) {
      return event.toString();
    }

    @Override
    public <T> T deserialize(Object serialized, Class<T> type) {
      throw new UnsupportedOperationException("no event is read again");
    }
  }

  @Test
  void an_event_is_one_message_and_one_entry_for_each_of_its_listeners() {
    HEARD.clear();
    application.run(
        context -> {
          assertThat(context).hasSingleBean(EventPublicationRegistry.class);
          publish(context, new OrderPlaced("7", 1999));

          assertThat(HEARD.poll(10, TimeUnit.SECONDS)).isEqualTo(new OrderPlaced("7", 1999));
          assertThat(Shop.sent(context))
              .extracting(envelope -> envelope.topic() + " " + envelope.key())
              .containsExactly("orders.placed 7");
          assertThat(
                  new JdbcTemplate(context.getBean(DataSource.class))
                      .queryForList("select listener_id from event_publication", String.class))
              .singleElement()
              .asString()
              .contains("Mails");
        });
  }

  @Test
  void an_event_that_is_rolled_back_is_neither() {
    HEARD.clear();
    application.run(
        context -> {
          assertThatIllegalArgumentException()
              .isThrownBy(() -> publish(context, new OrderPlaced("8", 0)));
          assertThat(Shop.sent(context)).isEmpty();
          assertThat(HEARD).isEmpty();
        });
  }

  private static void publish(ApplicationContext context, OrderPlaced event) {
    context
        .getBean(TransactionTemplate.class)
        .executeWithoutResult(
            status -> {
              context.publishEvent(event);
              if (event.cents() == 0) {
                throw new IllegalArgumentException(event.id());
              }
            });
  }
}
