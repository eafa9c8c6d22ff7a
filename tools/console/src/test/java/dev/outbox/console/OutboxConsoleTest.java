package dev.outbox.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.Relay;
import dev.outbox.RelayStatus;
import dev.outbox.StoreException;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.spi.OutboxStore;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The console at rest, watched, and at its end. */
@Timeout(60)
class OutboxConsoleTest {
  @Test
  void it_asks_nothing_while_nobody_looks_and_gives_its_connection_back() throws Exception {
    try (Shop shop = new Shop();
        OutboxConsole console =
            OutboxConsole.builder(shop.store).interval(Duration.ofMillis(500)).start()) {
      Browser browser = new Browser(console);
      browser.send(browser.request(""));
      assertThat(shop.dataSource.getHikariPoolMXBean().getActiveConnections()).isZero();
      try (BufferedReader lines = browser.watch()) {
        shop.enqueue(Message.to("mails").key("7").json("{}"));
        JsonNode first = Browser.event(lines);
        assertThat(first.get("health").asText()).isIn("warning", "bad");
        JsonNode second = Browser.event(lines);
        assertThat(second.get("ready").asLong()).isEqualTo(1);
        assertThat(second.get("in").isNull()).isFalse();
      }
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (shop.dataSource.getHikariPoolMXBean().getActiveConnections() > 0) {
        assertThat(System.nanoTime()).isLessThan(end);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
    }
  }

  @Test
  void its_end_ends_the_streams() throws Exception {
    try (Shop shop = new Shop()) {
      OutboxConsole console = OutboxConsole.builder(shop.store).start();
      try (BufferedReader lines = new Browser(console).watch()) {
        Browser.event(lines);
        console.close();
        assertThat(lines.lines()).allMatch(line -> line.isEmpty() || line.startsWith(":"));
      } catch (UncheckedIOException cut) {
        assertThat(cut).as("the connection is cut").isNotNull();
      }
      assertThat(shop.dataSource.getHikariPoolMXBean().getActiveConnections()).isZero();
    }
  }

  @Test
  void mounted_it_is_of_the_applications_users() throws Exception {
    try (Shop shop = new Shop()) {
      assertThatThrownBy(() -> OutboxConsole.builder(shop.store).mount())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("who may use the console?");
      try (OutboxConsole console =
          OutboxConsole.builder(shop.store).users(any -> any.header("X-User")).mount()) {
        ConsoleResponse refused = console.answer(asked("/api/me", Map.of()));
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.headers()).as("no token opens it").doesNotContainKey("WWW-Authenticate");
        assertThat(text(refused)).contains("Log in to the application");
        assertThat(console.answer(asked("/api/me", Map.of("x-user", "anna"))).status())
            .isEqualTo(200);
        assertThatThrownBy(console::url).isInstanceOf(IllegalStateException.class);
      }
    }
  }

  private static String text(ConsoleResponse response) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    response.body().writeTo(out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void an_answer_that_nobody_takes_holds_no_place_and_one_that_is_read_does() throws Exception {
    ExecutorService readers = Executors.newCachedThreadPool();
    try (Shop shop = new Shop();
        OutboxConsole console =
            OutboxConsole.builder(shop.store).users(any -> any.header("X-User")).mount()) {
      ConsoleRequest events = asked("/api/events", Map.of("X-User", "anna"));
      for (int i = 0; i < 40; i++) {
        assertThat(console.answer(events).status()).isEqualTo(200);
      }
      assertThat(console.answer(events).headers())
          .as("nginx passes on each event at once")
          .containsEntry("X-Accel-Buffering", "no");
      List<Future<String>> streams = new ArrayList<>();
      ConsoleResponse last = console.answer(events);
      while (last.status() == 200) {
        ConsoleResponse read = last;
        streams.add(readers.submit(() -> text(read)));
        last = console.answer(events);
      }
      assertThat(text(last)).contains("32 pages watch already");
      assertThat(streams).hasSizeGreaterThanOrEqualTo(32);
    } finally {
      readers.shutdown();
      assertThat(readers.awaitTermination(20, TimeUnit.SECONDS)).as("all streams end").isTrue();
    }
  }

  @Test
  void a_look_that_fails_by_a_defect_is_told_and_the_next_one_is_taken() throws Exception {
    try (Shop shop = new Shop();
        OutboxConsole console =
            OutboxConsole.builder(brokenOnce(shop.store))
                .interval(Duration.ofMillis(500))
                .start()) {
      try (BufferedReader lines = new Browser(console).watch()) {
        assertThat(Browser.event(lines).get("down").asBoolean()).isTrue();
        assertThat(Browser.event(lines).get("ready").asLong()).isZero();
      }
    }
  }

  /** A store whose first snapshot fails as no database does. */
  private static OutboxStore brokenOnce(OutboxStore store) {
    AtomicBoolean broken = new AtomicBoolean();
    return before(
        OutboxStore.class,
        store,
        "snapshot",
        () -> {
          if (!broken.getAndSet(true)) {
            throw new IllegalStateException("a defect");
          }
        });
  }

  /** The same object, but something happens before one of its methods. */
  private static <T> T before(Class<T> type, T real, String name, Runnable work) {
    InvocationHandler calls =
        (proxy, method, arguments) -> {
          if (method.getName().equals(name)) {
            work.run();
          }
          try {
            return method.invoke(real, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
  }

  private static OutboxStore refusing(OutboxStore store, String method) {
    return before(
        OutboxStore.class,
        store,
        method,
        () -> {
          throw StoreException.passing("the database is away", new SQLException("cut"));
        });
  }

  @Test
  void a_console_that_cannot_start_leaves_its_port_free() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (Shop shop = new Shop()) {
      OutboxConsole.Builder broken =
          OutboxConsole.builder(refusing(shop.store, "deadLetters")).port(port);
      assertThatThrownBy(broken::start).hasMessageContaining("the database is away");
      try (OutboxConsole console = OutboxConsole.builder(shop.store).port(port).start()) {
        assertThat(console.url().getPort()).isEqualTo(port);
      }
    }
  }

  @Test
  void once_it_is_closed_its_work_has_ended_and_its_port_is_free() throws Exception {
    try (Shop shop = new Shop()) {
      shop.die("mails", 300, "no such customer");
      OutboxConsole console = OutboxConsole.builder(shop.store).operate().start();
      Browser browser = new Browser(console);
      String job = replayAtPace(browser, 100);
      try (BufferedReader lines = browser.watch()) {
        Browser.event(lines);
        console.close();
      }
      long left = shop.dead();
      assertThat(left).as("job " + job + " was stopped").isPositive();
      try (ServerSocket port = new ServerSocket()) {
        port.bind(new InetSocketAddress(browser.place().getHost(), browser.place().getPort()));
        assertThat(port.isBound()).isTrue();
      }
      assertThat(shop.dead()).as("and ended before close returned").isEqualTo(left);
    }
  }

  /** A replay of all, which is under way when this returns. */
  private static String replayAtPace(Browser browser, int pace) throws Exception {
    Map<String, Object> all = Map.of("action", "replay", "filter", Map.of(), "pace", pace);
    JsonNode job = Browser.json(browser.post("api/jobs", all).body());
    String id = job.get("id").asText();
    while (!job.get("state").asText().equals("COUNTED")) {
      job = browser.get("api/job?id=" + id);
    }
    browser.post("api/jobs/confirm", Map.of("id", id, "messages", job.get("counted").asLong()));
    while (job.get("done").asLong() == 0) {
      job = browser.get("api/job?id=" + id);
    }
    return id;
  }

  private static ConsoleRequest asked(String path, Map<String, String> headers) {
    return new ConsoleRequest(
        "get", path, Map.of(), headers, InputStream.nullInputStream(), "127.0.0.1");
  }

  @Test
  void topics_show_a_broker_that_is_down_and_its_next_probe() throws Exception {
    try (Shop shop = new Shop();
        Relay relay = Relay.builder(shop.store, shop.broker.publisher()).start();
        OutboxConsole console = OutboxConsole.builder(shop.store).relay(relay).start()) {
      shop.broker.down();
      shop.enqueue(Message.to("mails").key("7").json("{}"));
      RelayStatus status = relay.status();
      while (status.brokersDown().isEmpty()) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        status = relay.status();
      }
      JsonNode topic = new Browser(console).get("api/topics").get("topics").get(0);
      assertThat(topic.get("topic").asText()).isEqualTo("mails");
      assertThat(topic.get("nextProbe").isNumber()).isTrue();
    }
  }

  @Test
  void the_code_of_its_page_works() throws Exception {
    try (Shop shop = new Shop();
        Relay relay = Relay.builder(shop.store, shop.broker.publisher()).start();
        OutboxConsole console =
            Embedded.start(shop.store, Schema.builder(shop.dataSource).build(), relay)) {
      JsonNode schema = new Browser(console).get("api/schema");
      assertThat(schema.get("differences")).isEmpty();
      UnaryOperator<@Nullable String> sessions =
          cookie -> "session=7".equals(cookie) ? "anna" : null;
      assertThat(
              Embedded.mounted(
                      shop.store, sessions, asked("/api/me", Map.of("Cookie", "session=7")))
                  .status())
          .isEqualTo(200);
      assertThat(
              Embedded.mounted(shop.store, sessions, asked("/api/me", Map.of("X-User", "anna")))
                  .status())
          .isEqualTo(401);
    }
  }

  @Test
  void bad_settings_are_refused() throws Exception {
    try (Shop shop = new Shop();
        OutboxConsole console = OutboxConsole.builder(shop.store).start()) {
      OutboxConsole.Builder builder = OutboxConsole.builder(shop.store);
      assertThatThrownBy(() -> builder.port(65_536))
          .hasMessage("port is 65536, it must be 0 to 65535");
      assertThatThrownBy(() -> builder.interval(Duration.ofMillis(1)))
          .hasMessageContaining("the minimum is PT0.5S");
      assertThatThrownBy(() -> builder.port(console.url().getPort()).start())
          .hasMessageContaining("cannot listen")
          .hasMessageContaining("choose another port");
    }
  }
}
