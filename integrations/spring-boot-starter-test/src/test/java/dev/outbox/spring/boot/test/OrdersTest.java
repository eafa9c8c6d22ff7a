package dev.outbox.spring.boot.test;

import static dev.outbox.testkit.assertj.KitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.spring.boot.RelayLifecycle;
import dev.outbox.testkit.BrokerFault;
import dev.outbox.testkit.Kit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

@SpringBootTest(properties = "spring.sql.init.schema-locations=classpath:orders.sql")
@OutboxTest
class OrdersTest {
  @Autowired Orders orders;
  @Autowired Kit kit;
  @Autowired JdbcTemplate jdbc;
  @Autowired ApplicationContext context;

  @RepeatedTest(2)
  void a_placed_order_is_published_once() {
    jdbc.update("delete from orders");
    orders.place("42");

    assertThat(kit)
        .hasEnqueued("orders.placed")
        .withKey("42")
        .withHeader("tenant", "acme")
        .times(1);
    kit.deliver();
    assertThat(kit.broker()).hasReceived("orders.placed").withKey("42").once();
    assertThat(kit).isDrained();
    orders.place("43");
  }

  @Test
  void an_order_that_is_rolled_back_is_not_published() {
    jdbc.update("delete from orders");
    jdbc.update("insert into orders values ('42')");

    assertThatExceptionOfType(DuplicateKeyException.class).isThrownBy(() -> orders.place("42"));

    assertThat(kit).hasNothingEnqueued();
    kit.deliver();
    assertThat(kit.broker().count()).isZero();
  }

  @Test
  void a_lost_confirmation_repeats_the_order() {
    jdbc.update("delete from orders");
    kit.broker().next(BrokerFault.loseConfirm());

    orders.place("44");
    kit.deliver();

    assertThat(kit).hasEnqueued("orders.placed").withKey("44");
  }

  @Test
  void no_relay_of_the_application_runs() {
    assertThat(context.getBeansOfType(RelayLifecycle.class)).isEmpty();
  }
}
