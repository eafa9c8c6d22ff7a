package dev.outbox.examples.testing;

import static dev.outbox.testkit.assertj.KitAssertions.assertThat;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.testkit.BrokerFault;
import dev.outbox.testkit.Kit;
import dev.outbox.testkit.junit.KitExtension;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(KitExtension.class)
class OrdersTest {
  record Order(String id, int total) {}

  /** The code under test. */
  static void place(Outbox outbox, Connection transaction, Order order) {
    outbox.enqueue(
        transaction,
        Message.to("orders.placed").key(order.id()).header("tenant", "acme").payload(order));
  }

  @Test
  void a_placed_order_is_published_once(Kit kit) throws Exception {
    Order order = new Order("42", 7);

    kit.transaction(transaction -> place(kit.outbox(), transaction, order));

    assertThat(kit)
        .hasEnqueued("orders.placed")
        .withKey("42")
        .withHeader("tenant", "acme")
        .withPayload(order)
        .times(1);
    kit.deliver();
    assertThat(kit.broker()).hasReceived("orders.placed").withKey("42").withPayload(order).once();
    assertThat(kit).isDrained();
  }

  @Test
  void an_order_that_is_rolled_back_is_not_published(Kit kit) throws Exception {
    try (Connection transaction = kit.dataSource().getConnection()) {
      transaction.setAutoCommit(false);
      place(kit.outbox(), transaction, new Order("42", 7));
      transaction.rollback();
    }
    assertThat(kit).hasNothingEnqueued();
  }

  @Test
  void a_lost_confirmation_repeats_that_order_only(Kit kit) throws Exception {
    kit.broker().next(BrokerFault.loseConfirm());
    kit.transaction(transaction -> place(kit.outbox(), transaction, new Order("42", 7)));
    kit.deliver();
    kit.pass(Duration.ofMinutes(1));
    assertThat(kit.broker()).hasReceived("orders.placed").withKey("42").times(1).repeated(1);
    assertThat(kit).isDrained();
  }

  @Test
  void an_order_that_the_broker_rejects_is_a_dead_letter(Kit kit) throws Exception {
    kit.broker().next(BrokerFault.reject("unknown customer"));
    kit.transaction(transaction -> place(kit.outbox(), transaction, new Order("42", 7)));
    kit.deliver();
    assertThat(kit)
        .hasDeadLetter("orders.placed")
        .withKey("42")
        .withReason(Reason.REJECTED)
        .withError("unknown customer");
  }
}
