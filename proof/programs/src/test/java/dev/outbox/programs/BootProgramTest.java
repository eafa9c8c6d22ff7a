package dev.outbox.programs;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Sandbox;
import jakarta.persistence.EntityManager;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Spring Boot 4 with JPA: the beans of docs/transactions.md, and a service that knows none of them.
 */
class BootProgramTest extends ProgramCases {
  @Override
  protected Program start(Sandbox sandbox, Publisher broker) {
    SpringApplication application =
        new SpringApplicationBuilder(Orders.class)
            .initializers(context -> context.getBeanFactory().registerSingleton("broker", broker))
            .build();
    application.setDefaultProperties(
        Map.of(
            "spring.datasource.url",
            sandbox.url(),
            "spring.datasource.username",
            sandbox.user(),
            "spring.datasource.password",
            sandbox.password(),
            "outbox.schema.initialize",
            "always",
            "spring.jpa.open-in-view",
            "false",
            "spring.main.banner-mode",
            "off"));
    ConfigurableApplicationContext context = application.run();
    return new BootProgram(context);
  }

  /** The application: it has no bean for the outbox. */
  @SpringBootApplication
  static class Orders {}

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
