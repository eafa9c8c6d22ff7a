package dev.outbox.testkit.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outbox.testkit.internal.Crew;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each way of breaking a network, on real sockets, again and again. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class TcpProxyTest {
  private static final int ROUNDS = 50;
  private static final int SILENT_ROUNDS = 10;
  private static final int SHORT_MILLIS = 50;
  private static final int LONG_MILLIS = 20_000;

  private EchoServer server;
  private TcpProxy proxy;

  @BeforeEach
  void open() throws IOException {
    server = EchoServer.start(0);
    proxy = TcpProxy.to("127.0.0.1", server.port());
  }

  @AfterEach
  void close() throws IOException {
    proxy.close();
    server.close();
  }

  private Socket client() throws IOException {
    Socket socket = new Socket();
    socket.connect(new InetSocketAddress(proxy.host(), proxy.port()), LONG_MILLIS);
    socket.setSoTimeout(LONG_MILLIS);
    return socket;
  }

  private static void say(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String hear(Socket socket, int bytes) throws IOException {
    return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.ISO_8859_1);
  }

  private static void requireEcho(Socket socket) throws IOException {
    say(socket, "hello");
    assertThat(hear(socket, 5)).isEqualTo("hello");
  }

  private void requireForwarding() throws IOException {
    try (Socket socket = client()) {
      requireEcho(socket);
    }
  }

  /** It was reset: the end did not come in good order. */
  private static void requireReset(Socket socket) {
    assertThrows(SocketException.class, () -> socket.getInputStream().read());
  }

  private static void requireSilent(Socket socket) throws IOException {
    socket.setSoTimeout(SHORT_MILLIS);
    assertThrows(SocketTimeoutException.class, () -> socket.getInputStream().read());
  }

  private void requireRefused() {
    assertThatThrownBy(this::client).isInstanceOf(ConnectException.class);
  }

  @Test
  void forwards_every_byte_both_ways_and_the_end_of_each_way() throws Exception {
    List<Callable<Boolean>> clients = new ArrayList<>();
    for (int number = 0; number < 8; number++) {
      long seed = number;
      clients.add(() -> isEchoed(new Random(seed)));
    }
    assertThat(Crew.together(clients)).containsOnly(true);
  }

  private boolean isEchoed(Random random) throws Exception {
    byte[] said = new byte[3_000_000 + random.nextInt(1_000_000)];
    random.nextBytes(said);
    try (Socket socket = client()) {
      Future<byte[]> heard = Crew.start(() -> socket.getInputStream().readAllBytes());
      socket.getOutputStream().write(said);
      socket.shutdownOutput();
      assertThat(heard.get(LONG_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(said);
    }
    return true;
  }

  @Test
  void a_client_that_does_not_read_holds_up_nobody_else() throws Exception {
    byte[] much = new byte[64 * 1024 * 1024];
    try (Socket deaf = client()) {
      Future<Boolean> saying =
          Crew.start(
              () -> {
                deaf.getOutputStream().write(much);
                return true;
              });
      for (int round = 0; round < ROUNDS; round++) {
        requireForwarding();
      }
      assertThat(server.heard()).as("the rest waits in the sockets").isLessThan(much.length);
      assertThat(saying).isNotDone();
    }
  }

  @Test
  void cut_resets_what_is_open_and_refuses_what_comes() throws Exception {
    int port = proxy.port();
    for (int round = 0; round < ROUNDS; round++) {
      try (Socket idle = client();
          Socket busy = client()) {
        requireEcho(busy);
        proxy.cut();
        requireReset(idle);
        requireReset(busy);
        requireRefused();
      }
      proxy.restore();
      requireForwarding();
    }
    assertThat(proxy.port()).isEqualTo(port);
  }

  @Test
  void nobody_else_gets_the_port_of_a_proxy_that_is_cut() throws Exception {
    proxy.cut();
    InetAddress here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    assertThatThrownBy(() -> new ServerSocket(proxy.port(), 1, here).close())
        .isInstanceOf(IOException.class);
    proxy.restore();
    requireForwarding();
  }

  @Test
  void silence_keeps_what_is_open_and_lets_in_what_comes_and_nobody_hears_anything()
      throws Exception {
    for (int round = 0; round < SILENT_ROUNDS; round++) {
      int before = proxy.unanswered();
      try (Socket open = client()) {
        requireEcho(open);
        long heard = server.heard();
        proxy.silence();
        say(open, "is there anybody?");
        try (Socket late = client()) {
          say(late, "hello?");
          requireSilent(late);
          requireSilent(open);
          assertThat(proxy.unanswered()).isEqualTo(before + 1);
          proxy.restore();
          requireForwarding();
          requireSilent(late);
          requireSilent(open);
        }
        assertThat(server.heard()).isEqualTo(heard + 5);
      }
    }
  }

  @Test
  void silence_begins_with_the_word_that_it_was_to_begin_with() throws Exception {
    for (int round = 0; round < SILENT_ROUNDS; round++) {
      try (Socket socket = client();
          Socket other = client()) {
        requireEcho(other);
        proxy.silenceAt(said -> said.contains("COMMIT"));
        requireEcho(socket);
        long heard = server.heard();
        say(socket, "COMMIT");
        proxy.awaitSilence(Duration.ofMillis(LONG_MILLIS));
        requireSilent(socket);
        requireSilent(other);
        assertThat(server.heard()).isEqualTo(heard);
        proxy.restore();
        requireForwarding();
      }
    }
  }

  @Test
  void a_silence_that_does_not_come_is_reported_and_restore_ends_the_wait_for_it()
      throws Exception {
    proxy.silenceAt(said -> said.contains("hello"));
    assertThatThrownBy(() -> proxy.awaitSilence(Duration.ofMillis(1)))
        .isInstanceOf(AssertionError.class)
        .hasMessageEndingWith("has not fallen silent within PT0.001S");
    proxy.restore();
    requireForwarding();
  }

  @Test
  void delay_makes_each_round_trip_longer_but_not_one_after_the_other() throws Exception {
    Duration delay = Duration.ofMillis(300);
    try (Socket socket = client()) {
      requireEcho(socket);
      proxy.delay(delay);
      long one = System.nanoTime();
      requireEcho(socket);
      assertThat(since(one)).isBetween(delay, delay.multipliedBy(10));

      long many = System.nanoTime();
      for (int number = 0; number < ROUNDS; number++) {
        say(socket, "%02d".formatted(number));
        TimeUnit.MILLISECONDS.sleep(1); // so that they travel apart
      }
      assertThat(hear(socket, 2)).isEqualTo("00");
      assertThat(hear(socket, 2 * ROUNDS - 2)).startsWith("0102").endsWith("49");
      assertThat(since(many)).isBetween(delay, delay.multipliedBy(ROUNDS / 2));

      proxy.restore();
      long restored = System.nanoTime();
      requireEcho(socket);
      assertThat(since(restored)).isLessThan(delay);
    }
  }

  private static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  @Test
  void reset_ends_what_is_open_once() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      try (Socket open = client()) {
        requireEcho(open);
        proxy.reset();
        requireReset(open);
      }
      requireForwarding();
    }
  }

  @Test
  void reset_ends_what_a_silence_has_left_open() throws Exception {
    try (Socket open = client()) {
      requireEcho(open);
      proxy.silence();
      proxy.restore();
      requireSilent(open);
      proxy.reset();
      open.setSoTimeout(LONG_MILLIS);
      requireReset(open);
    }
  }

  @Test
  void what_was_called_last_holds() throws Exception {
    proxy.cut();
    proxy.silence();
    try (Socket socket = client()) {
      requireSilent(socket);
      proxy.cut();
      requireRefused();
    }
    proxy.delay(Duration.ofMillis(1));
    requireForwarding();
  }

  @Test
  void a_server_that_is_down_resets_its_clients_until_it_is_back() throws Exception {
    int port = server.port();
    server.close();
    for (int round = 0; round < ROUNDS; round++) {
      assertThrows(SocketException.class, this::requireForwarding);
    }
    server = EchoServer.start(port);
    requireForwarding();
  }

  @Test
  void hundreds_of_connections_share_one_thread() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int number = 0; number < 300; number++) {
        sockets.add(client());
      }
      for (Socket socket : sockets) {
        requireEcho(socket);
      }
      assertThat(threads()).hasSize(1).allMatch(Thread::isDaemon);
      proxy.cut();
      sockets.forEach(TcpProxyTest::requireReset);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("outbox-proxy-" + proxy.port()))
        .toList();
  }

  @Test
  void many_threads_may_break_and_mend_it() throws Exception {
    List<Callable<Boolean>> hands = new ArrayList<>();
    for (int number = 0; number < 4; number++) {
      long seed = number;
      hands.add(() -> breakAndMend(new Random(seed)));
      hands.add(() -> knock(30));
    }
    assertThat(Crew.together(hands)).containsOnly(true);
    proxy.restore();
    requireForwarding();
  }

  private boolean breakAndMend(Random random) {
    for (int step = 0; step < 300; step++) {
      switch (random.nextInt(5)) {
        case 0 -> proxy.cut();
        case 1 -> proxy.silence();
        case 2 -> proxy.delay(Duration.ofMillis(random.nextInt(5)));
        case 3 -> proxy.reset();
        default -> proxy.restore();
      }
    }
    return true;
  }

  private boolean knock(int times) throws IOException {
    for (int time = 0; time < times; time++) {
      assertThat("hello").startsWith(answer());
    }
    return true;
  }

  /** What comes back of a hello: nothing while the network is broken. */
  private String answer() throws IOException {
    try (Socket socket = client()) {
      socket.setSoTimeout(SHORT_MILLIS);
      say(socket, "hello");
      return hear(socket, 5);
    } catch (SocketException | SocketTimeoutException broken) {
      return "";
    }
  }

  @Test
  void close_resets_what_is_open_frees_the_port_and_ends_the_thread() throws Exception {
    int port = proxy.port();
    try (Socket open = client();
        Socket silent = client()) {
      requireEcho(open);
      proxy.silence();
      Crew.together(List.of(this::closed, this::closed, this::closed));
      requireReset(open);
      requireReset(silent);
    }
    requireRefused();
    for (Thread thread : threads()) {
      thread.join(LONG_MILLIS);
    }
    assertThat(threads()).isEmpty();
    new ServerSocket(port, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1})).close();
    proxy.close();
    assertThatThrownBy(proxy::cut)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("this proxy is closed; make another");
  }

  private boolean closed() {
    proxy.close();
    return true;
  }

  @Test
  void what_fails_in_the_look_for_a_silence_is_told_to_the_next_caller() throws Exception {
    proxy.silenceAt(
        said -> {
          proxy.cut();
          return true;
        });
    try (Socket socket = client()) {
      say(socket, "hello");
      requireReset(socket);
    }
    String told = "it may look at bytes only";
    assertThatThrownBy(proxy::restore).hasStackTraceContaining(told);
    assertThatThrownBy(proxy::close).hasStackTraceContaining(told);
    proxy = TcpProxy.to("127.0.0.1", server.port());
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://db.example:5432/shop?user=me, jdbc:postgresql://%s/shop?user=me",
    "amqp://guest:secret@db.example:5672, amqp://guest:secret@%s",
    "http://[::1]:8080/messages#top, http://%s/messages#top",
    "jdbc:sqlserver://db.example:1433;encrypt=false, jdbc:sqlserver://%s;encrypt=false"
  })
  void a_url_leads_through_the_proxy(String url, String wanted) {
    assertThat(proxy.through(url))
        .isEqualTo(wanted.formatted("%s:%d".formatted(proxy.host(), proxy.port())));
  }

  @Test
  void a_proxy_before_a_url_forwards_to_its_server() throws Exception {
    String url = "tcp://127.0.0.1:%d/any".formatted(server.port());
    try (TcpProxy other = TcpProxy.before(url)) {
      proxy.close();
      proxy = other;
      requireForwarding();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:5432", "http://localhost/", "kafka://a:1,b:2", "", "//a:b"})
  void a_url_without_one_host_and_port_is_refused(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> proxy.through(url))
        .withMessage(
            "there is no single '//host:port' in '%s'; name host and port by TcpProxy.to", url);
    assertThatIllegalArgumentException().isThrownBy(() -> TcpProxy.before(url));
  }

  @Test
  void bad_input_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TcpProxy.to("127.0.0.1", 0))
        .withMessage("port is 0, it must be 1 to 65535");
    assertThatIllegalArgumentException().isThrownBy(() -> TcpProxy.to("127.0.0.1", 65_536));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TcpProxy.before("tcp://127.0.0.1:99999"))
        .withMessage("port is 99999, it must be 1 to 65535");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TcpProxy.to("no.such.host.invalid", 1))
        .withMessage("there is no host 'no.such.host.invalid'; check its name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> proxy.delay(Duration.ofMillis(-1)))
        .withMessage("delay is PT-0.001S, it must be zero to PT1H");
    assertThatIllegalArgumentException().isThrownBy(() -> proxy.delay(Duration.ofHours(2)));
    assertThatCode(() -> proxy.delay(Duration.ofHours(1))).doesNotThrowAnyException();
  }
}
