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
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a sender does while its client waits. */
class JmsSenderTest {
  private static final Duration SHORT = Duration.ofMillis(200);

  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);

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
              if (type == Connection.class && method.getName().equals("close")) {
                closed.countDown();
              }
              Class<?> result = method.getReturnType();
              return result.isInterface() ? client(result) : null;
            }));
  }
}
