package dev.outbox.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The configuration of docs/transactions.md, in an application of Spring without Boot. */
class SpringPageTest {
  private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

  @Test
  void what_is_committed_is_published_and_the_relay_is_closed_with_the_application()
      throws Exception {
    Relay relay;
    try (Sandbox sandbox = Database.H2.sandbox();
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context.registerBean(DataSource.class, () -> sandbox.pool(4));
      context.registerBean(
          Publisher.class,
          () -> Publisher.blocking(envelope -> sent.add(envelope.payload().text())));
      context.register(OutboxConfiguration.class);
      context.refresh();
      relay = context.getBean(Relay.class);
      Outbox.Joined outbox = context.getBean(Outbox.Joined.class);
      TransactionTemplate transaction =
          new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

      transaction.executeWithoutResult(
          status -> {
            outbox.enqueue(Message.to("orders.placed").text("rolled back"));
            status.setRollbackOnly();
          });
      transaction.executeWithoutResult(
          status -> outbox.enqueue(Message.to("orders.placed").text("committed")));

      assertThat(sent.poll(20, TimeUnit.SECONDS)).isEqualTo("committed");
    }
    assertThat(relay.status().isClosed()).isTrue();
    assertThat(sent).isEmpty();
  }
}
