package dev.outbox.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a sender does while its client waits. */
class JmsSenderTest {
  private static final Duration SHORT = Duration.ofMillis(200);

  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean blocks;

  private static JmsSender sender(JmsLink.Source source, Duration patience) {
    return new JmsSender(source, new JmsLimits(JmsMapping.PLAIN, Integer.MAX_VALUE), patience);
  }

  private static CompletableFuture<?> send(JmsSender sender) {
    return sender.send(TestBroker.message("orders", "42", new byte[10])).toCompletableFuture();
  }

  /** As a network that is silent makes it. */
  @Test
  void a_message_that_timed_out_while_its_connection_was_made_is_not_sent() throws Exception {
    CountDownLatch network = new CountDownLatch(1);
    JmsSender sender =
        sender(
            () -> {
              await(network);
              return client(Connection.class);
            },
            SHORT);
    assertThatThrownBy(() -> send(sender).get(10, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(TimeoutException.class);
    network.countDown();
    sender.close();
    assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(calls).contains("createProducer").doesNotContain("send");
  }

  @Test
  void a_message_whose_connection_is_there_after_the_close_is_not_sent() throws Exception {
    AtomicReference<JmsSender> closing = new AtomicReference<>();
    JmsSender sender =
        sender(
            () -> {
              Thread.currentThread().interrupt(); // so that the close does not wait for this thread
              closing.get().close();
              boolean unused = Thread.interrupted();
              return client(Connection.class);
            },
            Duration.ofSeconds(30));
    closing.set(sender);
    assertThatThrownBy(() -> send(sender).get(10, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(JmsErrors.NotNow.class)
        .hasRootCauseMessage("this publisher is closed");
    assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(calls).contains("createProducer").doesNotContain("send");
  }

  /** As an application may, which looks up where it is. */
  @Test
  void a_send_that_blocks_is_ended_whatever_the_function_of_the_destination_does()
      throws Exception {
    AtomicInteger asked = new AtomicInteger();
    JmsMapping once =
        new JmsMapping(
            envelope -> {
              if (asked.incrementAndGet() > 1) {
                throw new IllegalStateException("asked twice");
              }
              return JmsDestination.queue("orders");
            },
            null);
    blocks = true;
    JmsSender sender =
        new JmsSender(
            () -> client(Connection.class), new JmsLimits(once, Integer.MAX_VALUE), SHORT);
    CompletableFuture<String> thread = new CompletableFuture<>();
    CompletableFuture<?> sent =
        send(sender)
            .whenComplete((done, thrown) -> thread.complete(Thread.currentThread().getName()));
    assertThatThrownBy(() -> sent.get(10, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(TimeoutException.class)
        .hasMessageContaining("topic orders");
    assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(thread.get(10, TimeUnit.SECONDS)).startsWith("outbox-jms"); // not the JVM's timer
    sender.close();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Whatever it is asked for is there, and does nothing. */
  private <T> T client(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              switch (type.getSimpleName() + "." + method.getName()) {
                case "Connection.close" -> closed.countDown();
                case "MessageProducer.send" -> await(blocks ? closed : new CountDownLatch(0));
                default -> {}
              }
              Class<?> result = method.getReturnType();
              return result.isInterface() ? client(result) : null;
            }));
  }
}
