package dev.outbox.programs;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Transactions;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Sandbox;
import jakarta.persistence.EntityManager;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Spring Boot 4 with JPA: the beans of docs/transactions.md, and a service that knows none of them. */
class BootProgramTest extends ProgramCases {
  @Override
  protected Program start(Sandbox sandbox, Publisher broker) {
    SpringApplication application =
        new SpringApplicationBuilder(Orders.class)
            .initializers(context -> context.getBeanFactory().registerSingleton("broker", broker))
            .build();
    application.setDefaultProperties(
        Map.of(
            "spring.datasource.url", sandbox.url(),
            "spring.datasource.username", sandbox.user(),
            "spring.datasource.password", sandbox.password(),
            "spring.jpa.open-in-view", "false",
            "spring.main.banner-mode", "off"));
    ConfigurableApplicationContext context = application.run();
    return new BootProgram(context);
  }

  /** The application. */
  @SpringBootApplication
  static class Orders {
    @Bean
    JdbcStore outboxStore(DataSource dataSource) {
      Schema.builder(dataSource).create();
      return JdbcStore.create(dataSource);
    }

    @Bean
    Outbox outbox(JdbcStore store) {
      return Outbox.create(store);
    }

    @Bean
    Outbox.Joined joinedOutbox(Outbox outbox, DataSource dataSource) {
      return outbox.join(
          Transactions.of(
              work ->
                  new JdbcTemplate(dataSource)
                      .execute(
                          (ConnectionCallback<Void>)
                              connection -> {
                                work.accept(connection);
                                return null;
                              }),
              action ->
                  TransactionSynchronizationManager.registerSynchronization(
                      new TransactionSynchronization() {
                        @Override
                        public void afterCommit() {
                          action.run();
                        }
                      })));
    }

    @Bean
    Relay relay(JdbcStore store, Publisher broker) {
      return Relay.builder(store, broker).start();
    }
  }

  /** The service. */
  @Service
  static class OrderService {
    private final EntityManager entities;
    private final Outbox.Joined outbox;

    OrderService(EntityManager entities, Outbox.Joined outbox) {
      this.entities = entities;
      this.outbox = outbox;
    }

    @Transactional
    public void place(Order order) {
      entities.persist(new OrderRow(order));
      tell(order);
    }

    @Transactional
    public void placeAndRefuse(Order order) {
      place(order);
      throw new Program.RefusedException();
    }

    public void tell(Order order) {
      outbox.enqueue(Message.to("orders.placed").key(order.id()).payload(order));
    }
  }

  private record BootProgram(ConfigurableApplicationContext context) implements Program {
    private OrderService service() {
      return context.getBean(OrderService.class);
    }

    @Override
    public void place(Order order) {
      service().place(order);
    }

    @Override
    public void placeAndRefuse(Order order) {
      service().placeAndRefuse(order);
    }

    @Override
    public void placeWithoutTransaction(Order order) {
      service().tell(order);
    }

    @Override
    public void close() {
      context.close();
    }
  }
}
