package com.example.shop;

import static dev.outbox.testkit.assertj.KitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.spring.boot.test.OutboxTest;
import dev.outbox.testkit.Kit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest(properties = "spring.datasource.url=jdbc:h2:mem:shop")
@OutboxTest
class OrderServiceTest {
  @Autowired OrderService orders;
  @Autowired Kit kit;

  @Test
  void a_placed_order_is_published_once() {
    orders.place("42", 1999);

    assertThat(kit).hasEnqueued("orders.placed").withKey("42").times(1);
    kit.deliver();
    assertThat(kit.broker()).hasReceived("orders.placed").withKey("42").once();
    assertThat(kit).isDrained();
  }

  @Test
  void an_order_that_is_rolled_back_is_not_published() {
    assertThatIllegalArgumentException().isThrownBy(() -> orders.place("43", 0));

    assertThat(kit).hasNothingEnqueued();
  }
}
