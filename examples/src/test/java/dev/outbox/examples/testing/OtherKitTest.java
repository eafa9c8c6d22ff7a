package dev.outbox.examples.testing;

import static dev.outbox.testkit.assertj.KitAssertions.assertThat;

import dev.outbox.message.Message;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.testkit.BrokerFault;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.Kit;
import dev.outbox.testkit.junit.KitExtension;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OtherKitTest {
  @RegisterExtension
  static final KitExtension OUTBOX =
      KitExtension.of(Kit.builder().lanes(1).retry(RetryPolicy.standard()).dedupe(1000));

  @Test
  void a_broker_that_has_healed_takes_every_message(Kit kit) {
    InMemoryBroker broker = kit.broker();
    long seed = 7;
    broker.next(BrokerFault.none(), BrokerFault.loseConfirm()); // the second message from now on
    broker.when(envelope -> envelope.topic().equals("mails"), BrokerFault.refuse());
    broker.randomly(seed, Map.of(BrokerFault.timeOut(), 0.01, BrokerFault.twice(), 0.01));
    broker.heal();

    kit.enqueue(Message.to("mails").text("hello"));
    kit.deliver();
    kit.pass(Duration.ofMinutes(1));

    assertThat(broker).hasReceived("mails").times(1);
  }
}
