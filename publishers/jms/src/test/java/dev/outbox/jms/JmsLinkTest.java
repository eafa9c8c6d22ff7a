package dev.outbox.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class JmsLinkTest {
  private final List<String> calls = new ArrayList<>();

  /** As a client may, which throws JMS's unchecked exceptions. */
  @Test
  void a_connection_whose_set_up_throws_any_exception_is_closed() {
    JmsLink link = new JmsLink(this::connection, JmsMapping.PLAIN, Runnable::run);
    assertThatThrownBy(() -> send(link))
        .isInstanceOf(JmsErrors.NotNow.class)
        .hasMessage("cannot connect: no session")
        .satisfies(thrown -> assertThat(thrown.getCause().getSuppressed()).hasSize(1));
    assertThat(calls).containsExactly("setExceptionListener", "createSession", "close");
  }

  /** As a pool may, which throws what it likes. */
  @Test
  void a_factory_that_throws_any_exception_is_not_asked_again_by_every_message() {
    JmsLink link =
        new JmsLink(
            () -> {
              calls.add("open");
              throw new IllegalStateException("the pool is shut down");
            },
            JmsMapping.PLAIN,
            Runnable::run);
    for (int message = 0; message < 10; message++) {
      assertThatThrownBy(() -> send(link)).isInstanceOf(JmsErrors.NotNow.class);
    }
    assertThat(calls).hasSizeLessThan(10);
  }

  private static void send(JmsLink link) throws JMSException {
    link.send(
        TestBroker.message("orders", "42", new byte[10]), new CompletableFuture<>(), () -> false);
  }

  private Connection connection() {
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              return switch (method.getName()) {
                case "createSession" -> throw new IllegalStateRuntimeException("no session");
                case "close" -> throw new IllegalStateRuntimeException("no connection");
                default -> null;
              };
            });
  }
}
