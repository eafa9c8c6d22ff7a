package dev.outbox.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Names of hosts that are looked up before a request to a real endpoint. */
@Isolated("it sets a property of the system")
class NamesOfHostsTest {
  private static final Duration DEADLINE = Duration.ofSeconds(20);
  private static final String SLOW = "localhost";

  private final TestEndpoint endpoint = TestEndpoint.get();
  private final String path = TestEndpoint.newPath();
  private final CountDownLatch answered = new CountDownLatch(1);
  private final CountDownLatch looked = new CountDownLatch(1);

  @AfterEach
  void answer() {
    answered.countDown();
  }

  /** Every name has a public address, and that of the slow host comes late. */
  private InetAddress[] addresses(String host) throws UnknownHostException {
    if (host.equals(SLOW)) {
      try {
        boolean unused = answered.await(10, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new UnknownHostException("interrupted");
      }
      looked.countDown();
    }
    return InetAddress.getAllByName("1.1.1.1");
  }

  private Publisher publisher(Duration timeout) {
    HttpMapping mapping =
        new HttpMapping(
            each ->
                URI.create("http://%s:%d%s".formatted(each.topic(), endpoint.server.port(), path)),
            null,
            null,
            Map.of());
    HttpSender sender =
        new HttpSender(
            null, new HttpLimits(mapping), timeout, new PublicAddresses(this::addresses));
    return Publisher.async(sender::send, 64)
        .classify(thrown -> HttpErrors.read(thrown, StatusException::answer));
  }

  private static OneFlight begin(Publisher publisher, String host) throws Exception {
    Envelope envelope = TestEndpoint.message(host, "42", new byte[10]);
    OneFlight flight = new OneFlight(envelope, DEADLINE);
    publisher.publish(flight);
    return flight;
  }

  @Test
  void a_name_that_is_slow_to_look_up_holds_up_no_other_message() throws Exception {
    Publisher publisher = publisher(Duration.ofSeconds(10));
    OneFlight slow = begin(publisher, SLOW);
    assertThat(begin(publisher, "127.0.0.1").await()).isInstanceOf(Ack.Delivered.class);
    assertThat(looked.getCount()).as("the slow name is still looked up").isOne();
    answered.countDown();
    assertThat(slow.await()).isInstanceOf(Ack.Delivered.class);
    assertThat(endpoint.received(path)).hasSize(2);
  }

  @Test
  void a_name_that_is_not_looked_up_in_time_is_unavailable_and_its_message_not_sent_later()
      throws Exception {
    Ack ack = begin(publisher(Duration.ofMillis(300)), SLOW).await();
    assertThat(ack)
        .isInstanceOfSatisfying(
            Ack.Unavailable.class,
            unavailable ->
                assertThat(unavailable.cause())
                    .hasMessageContaining("the host was not looked up within PT0.3S"));
    answered.countDown();
    looked.await();
    assertThat(begin(publisher(DEADLINE), "127.0.0.1").await()).isInstanceOf(Ack.Delivered.class);
    assertThat(endpoint.received(path)).hasSize(1);
  }

  /** The JVM heeds this one too, where the security property is not set. */
  @Test
  void a_cache_of_addresses_that_is_off_is_refused() {
    System.setProperty("sun.net.inetaddr.ttl", "0");
    try {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> HttpPublisher.builder(endpoint.at(path)).publicAddressesOnly().build())
          .withMessageStartingWith("sun.net.inetaddr.ttl is 0, so that a name could have another");
    } finally {
      System.clearProperty("sun.net.inetaddr.ttl");
    }
  }
}
