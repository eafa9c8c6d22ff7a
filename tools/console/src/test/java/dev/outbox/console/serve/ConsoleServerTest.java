package dev.outbox.console.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.outbox.console.ConsoleRequest;
import dev.outbox.console.ConsoleResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that are slow on purpose. */
@Timeout(60)
class ConsoleServerTest {
  private static final int MORE_THAN_THREADS = 70;
  private static final int MORE_THAN_BUFFERS = 64 * 1024 * 1024;

  private final HttpServer listening =
      ConsoleServer.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  private final CountDownLatch released = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final ConsoleServer server =
      ConsoleServer.start(listening, Duration.ofSeconds(1), this::answer);

  @AfterEach
  void close() {
    server.close();
  }

  private ConsoleResponse answer(ConsoleRequest request) {
    return switch (request.path()) {
      case "/large" -> new ConsoleResponse(200, length(MORE_THAN_BUFFERS), this::large, false);
      case "/stream" -> new ConsoleResponse(200, Map.of(), this::stream, true);
      default -> new ConsoleResponse(200, length(2), out -> out.write(bytes("ok")), false);
    };
  }

  private static Map<String, String> length(int bytes) {
    return Map.of("Content-Length", Integer.toString(bytes));
  }

  private void large(OutputStream out) throws IOException {
    try {
      byte[] part = new byte[64 * 1024];
      for (int written = 0; written < MORE_THAN_BUFFERS; written += part.length) {
        out.write(part);
      }
    } finally {
      ended.countDown();
    }
  }

  private void stream(OutputStream out) throws IOException {
    try {
      out.write(bytes("first;"));
      out.flush();
      released.await();
      out.write(bytes("last"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Socket sending(String text) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), listening.getAddress().getPort());
    socket.getOutputStream().write(bytes(text));
    return socket;
  }

  private static String received(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private boolean answered() throws IOException {
    try (Socket whole = sending(get("/"))) {
      return received(whole).endsWith("ok");
    }
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\nHost: loc",
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{",
        "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{"
      })
  void halves_of_requests_end_and_others_are_answered(String half) throws Exception {
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < MORE_THAN_THREADS; i++) {
      slow.add(sending(half));
    }
    while (!answered()) { // a busy machine may be slow, too
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
    for (Socket each : slow) {
      assertThat(received(each)).isEmpty();
      each.close();
    }
  }

  @Test
  void an_answer_that_nobody_takes_ends() throws Exception {
    try (Socket slow = sending(get("/large"))) {
      assertThat(ended.await(50, TimeUnit.SECONDS)).isTrue();
      assertThat(slow.isClosed()).isFalse();
    }
  }

  @Test
  void a_stream_goes_on() throws Exception {
    try (Socket stream = sending(get("/stream"));
        Socket slow = sending("GET / HTTP/1.1\r\nHost: loc")) {
      assertThat(received(slow)).isEmpty();
      released.countDown();
      assertThat(received(stream)).contains("first;", "last");
    }
  }
}
