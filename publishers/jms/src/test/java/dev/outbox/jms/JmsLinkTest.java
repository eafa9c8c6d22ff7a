package dev.outbox.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateRuntimeException;
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
    assertThatThrownBy(
            () ->
                link.send(
                    TestBroker.message("orders", "42", new byte[10]), new CompletableFuture<>()))
        .hasMessage("no session");
    assertThat(calls).containsExactly("setExceptionListener", "createSession", "close");
  }

  private Connection connection() {
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              if ("createSession".equals(method.getName())) {
                throw new IllegalStateRuntimeException("no session");
              }
              return null;
            });
  }
}
