package dev.outbox.jdbc.internal.wakeup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.StoreException;
import dev.outbox.jdbc.proof.Await;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.Wakeup;
import dev.outbox.spi.lane.Lane;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.postgresql.PGConnection;

/** Two sets of channels are two processes: they share nothing but the server. */
@Timeout(120)
@ResourceLock("threads that listen and tell")
class ChannelsTest {
  private static final Set<Lane> ONE = Set.of(new Lane(1));
  private static final Set<Lane> TWO = Set.of(new Lane(2));
  private static final String LISTENING = "query LIKE 'LISTEN%'";
  private static final String TELLING = "query LIKE '%pg_notify%'";

  private static Sandbox sandbox;

  private final Channels here = new Channels(sandbox.dataSource());
  private final Channels there = new Channels(sandbox.dataSource());

  @BeforeAll
  static void start() {
    sandbox = Database.POSTGRES.sandbox();
  }

  @AfterAll
  static void stop() {
    sandbox.close();
  }

  @AfterEach
  void nothingIsLeft() throws InterruptedException {
    here.close();
    there.close();
    await("the end of both threads", () -> threads().isEmpty());
    await("0 sessions", () -> sessions() == 0);
  }

  @Test
  void news_of_another_process_arrives_within_100_ms() throws Exception {
    WakeRecorder recorder = WakeRecorder.on(here.named("a"));
    Wakeup other = there.named("a");
    List<Long> nanos = new ArrayList<>();
    for (int i = 0; i < 21; i++) {
      long before = System.nanoTime();
      other.wake(ONE);
      assertThat(recorder.next()).isEqualTo(ONE);
      nanos.add(System.nanoTime() - before);
    }
    nanos.sort(null);
    assertThat(Duration.ofNanos(nanos.get(4))).isLessThan(Duration.ofMillis(100));
  }

  @Test
  void a_process_does_not_wake_itself_twice() throws Exception {
    WakeRecorder recorder = WakeRecorder.on(here.named("a"));
    here.named("a").wake(ONE);
    assertThat(recorder.next()).isEqualTo(ONE);
    WakeRecorder far = WakeRecorder.on(there.named("a"));
    here.named("a").wake(ONE);
    assertThat(recorder.next()).isEqualTo(ONE);
    assertThat(far.next()).isEqualTo(ONE);

    there.named("a").wake(TWO);
    assertThat(recorder.next()).as("what was said before was heard before").isEqualTo(TWO);
  }

  @Test
  void an_outbox_hears_nothing_of_another() throws Exception {
    WakeRecorder a = WakeRecorder.on(here.named("a"));
    WakeRecorder b = WakeRecorder.on(here.named("b"));

    there.named("b").wake(TWO);
    assertThat(b.next()).isEqualTo(TWO);
    assertThat(a.isSilent()).isTrue();
  }

  @Test
  void a_hint_stays_in_the_process() throws Exception {
    WakeRecorder recorder = WakeRecorder.on(here.named("a"));
    there.named("a").hint(ONE);
    there.named("a").wake(TWO);

    assertThat(recorder.next()).isEqualTo(TWO);
  }

  @Test
  void a_thousand_wakes_a_second_are_reported_at_most_twenty_times_and_every_lane_arrives()
      throws Exception {
    try (Connection listener = sandbox.open()) {
      run(listener, "LISTEN \"a\"");
      Wakeup wakeup = there.named("a");
      long start = System.nanoTime();
      for (int i = 0; i < 1000; i++) {
        wakeup.wake(Set.of(new Lane(i % 40)));
        LockSupport.parkNanos(1_000_000);
      }
      there.close();
      double seconds = (System.nanoTime() - start) / 1e9;

      Set<Lane> lanes = new HashSet<>();
      List<Notice> heard = said(listener);
      heard.forEach(notice -> lanes.addAll(notice.lanes()));
      assertThat(lanes).hasSize(40);
      assertThat(heard).hasSizeBetween(2, (int) (seconds * 20) + 3);
      assertThat(heard.get(0).lanes()).as("the first is told at once").hasSizeLessThan(20);
    }
  }

  @Test
  void whoever_writes_by_SQL_can_ring_too() throws Exception {
    WakeRecorder recorder = WakeRecorder.on(here.named("public.outbox"));
    try (Connection writer = sandbox.open()) {
      run(writer, "SELECT pg_notify('public.outbox', '1,2')");
      assertThat(recorder.next()).containsExactlyInAnyOrder(new Lane(1), new Lane(2));
      run(writer, "NOTIFY \"public.outbox\"");
      assertThat(recorder.next()).isEmpty();
    }
  }

  @Test
  void a_listening_session_that_is_ended_heals_and_rings_for_what_it_missed() throws Exception {
    WakeRecorder recorder = WakeRecorder.on(here.named("a"));
    end(LISTENING);

    assertThat(recorder.next()).as("news may have been missed").isEmpty();
    there.named("a").wake(ONE);
    assertThat(recorder.next()).isEqualTo(ONE);
    assertThat(recorder.isSilent()).isTrue();
  }

  @Test
  void a_telling_session_that_is_ended_heals() throws Exception {
    WakeRecorder recorder = WakeRecorder.on(here.named("a"));
    there.named("a").wake(ONE);
    assertThat(recorder.next()).isEqualTo(ONE);
    end(TELLING);

    await(
        "a wake-up",
        () -> {
          there.named("a").wake(TWO);
          return !recorder.isSilent();
        });
    assertThat(recorder.next()).isEqualTo(TWO);
  }

  @Test
  void an_exhausted_pool_keeps_nobody_waiting_and_heals() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setDataSource(sandbox.dataSource());
    config.setMaximumPoolSize(1);
    config.setConnectionTimeout(3000);
    WakeRecorder recorder = WakeRecorder.on(here.named("a"));
    try (HikariDataSource pool = new HikariDataSource(config);
        Channels poor = new Channels(pool)) {
      Wakeup wakeup = poor.named("a");
      try (Connection all = pool.getConnection()) {
        assertThat(all.isValid(5)).isTrue();
        long before = System.nanoTime();
        for (int i = 0; i < 100; i++) {
          wakeup.wake(ONE);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(2));
        await(
            "waiting threads", () -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() > 0);
        await(
            "waiting threads",
            () -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() == 0);
      }
      await(
          "a wake-up",
          () -> {
            wakeup.wake(TWO);
            return !recorder.isSilent();
          });
    }
  }

  @Test
  void what_is_untold_is_reported_at_the_close() throws Exception {
    WakeRecorder recorder = WakeRecorder.on(here.named("a"));
    there.named("a").wake(ONE);
    assertThat(recorder.next()).isEqualTo(ONE);
    there.named("a").wake(TWO);
    there.close();

    assertThat(recorder.next()).isEqualTo(TWO);
  }

  @Test
  void nothing_runs_until_somebody_listens_or_tells() throws Exception {
    here.named("a").hint(ONE);

    assertThat(threads()).isEmpty();
    assertThat(sessions()).isZero();
  }

  @Test
  void the_last_who_unsubscribes_ends_the_session() throws Exception {
    Wakeup wakeup = here.named("a");
    WakeRecorder recorder = new WakeRecorder();
    Wakeup.Subscription first = wakeup.subscribe(recorder);
    Wakeup.Subscription second = wakeup.subscribe(new WakeRecorder());
    Wakeup.Subscription third = here.named("b").subscribe(new WakeRecorder());
    recorder.next();
    third.close();
    first.close();
    first.close();
    assertThat(threads()).containsExactly("outbox-listen");

    second.close();
    await("the end of both threads", () -> threads().isEmpty());
    await("0 sessions", () -> sessions() == 0);

    WakeRecorder.on(wakeup);
  }

  @Test
  void a_close_leaves_no_thread_and_no_connection() throws Exception {
    WakeRecorder recorder = WakeRecorder.on(here.named("a"));
    here.named("a").wake(ONE);
    recorder.next();
    await("2 sessions", () -> sessions() == 2);
    here.close();
    here.close();

    await("the end of both threads", () -> threads().isEmpty());
    await("0 sessions", () -> sessions() == 0);
    here.named("a").wake(TWO);
    assertThat(recorder.next()).as("within the process").isEqualTo(TWO);
    assertThat(threads()).isEmpty();
  }

  @Test
  void a_close_during_an_outage_returns_soon() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setDataSource(sandbox.dataSource());
    config.setMaximumPoolSize(1);
    try (HikariDataSource pool = new HikariDataSource(config);
        Connection all = pool.getConnection()) {
      assertThat(all.isValid(5)).isTrue();
      Channels poor = new Channels(pool);
      poor.named("a").subscribe(new WakeRecorder());
      poor.named("a").wake(ONE);
      long before = System.nanoTime();
      poor.close();

      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
      await("the end of both threads", () -> threads().isEmpty());
    }
  }

  @Test
  void a_pool_gets_no_session_back_that_listens_or_was_changed() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setDataSource(sandbox.dataSource());
    config.setMaximumPoolSize(2);
    config.setAutoCommit(false);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      Channels pooled = new Channels(pool);
      WakeRecorder recorder = WakeRecorder.on(pooled.named("a"));
      pooled.named("a").wake(ONE);
      recorder.next();
      pooled.close();

      try (Connection one = pool.getConnection();
          Connection two = pool.getConnection()) {
        for (Connection lent : List.of(one, two)) {
          assertThat(lent.getAutoCommit()).isFalse();
          assertThat(ask(lent, "SELECT count(*) FROM pg_listening_channels()")).isEqualTo("0");
          assertThat(ask(lent, "SHOW synchronous_commit")).isEqualTo("on");
        }
      }
    }
  }

  @Test
  void a_channel_is_called_like_its_table_wherever_that_is_found() throws Exception {
    try (Connection owner = sandbox.open()) {
      run(owner, "CREATE SCHEMA app", "CREATE TABLE app.letters (id int)");
      run(owner, "CREATE TABLE public.\"Odd Name\" (id int)", "CREATE TABLE plain (id int)");
    }
    assertThat(here.of(sandbox.dataSource(), "app.letters")).isSameAs(here.named("app.letters"));
    assertThat(here.of(sandbox.dataSource(), "APP.Letters")).isSameAs(here.named("app.letters"));
    assertThat(here.of(sandbox.dataSource(), "plain")).isSameAs(here.named("public.plain"));
    assertThat(here.of(sandbox.dataSource(), "\"Odd Name\""))
        .isSameAs(here.named(Channels.name("public.Odd Name")));
    assertThatThrownBy(() -> here.of(sandbox.dataSource(), "missing"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("missing");
  }

  @Test
  void a_name_that_is_too_long_or_odd_gives_way_to_a_hash() throws Exception {
    String longest = "s".repeat(31) + "." + "t".repeat(31);
    assertThat(Channels.name(longest)).isEqualTo(longest);
    String odd = Channels.name("a\"; DROP TABLE outbox; --.outbox");
    String tooLong = Channels.name(longest + "t");
    assertThat(odd).matches("outbox\\.[0-9a-f-]{36}").isNotEqualTo(tooLong);
    assertThat(tooLong).hasSizeLessThan(64).isEqualTo(Channels.name(longest + "t"));

    WakeRecorder recorder = WakeRecorder.on(here.named(longest));
    there.named(longest).wake(ONE);
    assertThat(recorder.next()).isEqualTo(ONE);
  }

  @Test
  void news_that_finds_no_thread_is_dropped_and_the_next_is_told() throws Exception {
    WakeRecorder recorder = WakeRecorder.on(here.named("a"));
    try (Channels crowded = new Channels(sandbox.dataSource(), failing(1))) {
      assertThatCode(() -> crowded.named("a").wake(ONE)).doesNotThrowAnyException();
      crowded.named("a").wake(TWO);

      assertThat(recorder.next()).isEqualTo(TWO);
    }
  }

  @Test
  @ResourceLock(Resources.SYSTEM_ERR)
  void that_there_is_no_thread_is_logged_once_with_its_reason() {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try (Channels crowded = new Channels(sandbox.dataSource(), failing(3))) {
      for (int each = 0; each < 3; each++) {
        assertThatCode(() -> crowded.named("a").wake(ONE)).doesNotThrowAnyException();
      }
    } finally {
      System.setErr(before);
    }

    assertThat(log.toString(StandardCharsets.UTF_8))
        .containsOnlyOnce("notifying other processes failed")
        .containsOnlyOnce("unable to create native thread");
  }

  @Test
  void a_listener_that_finds_no_thread_leaves_nothing_and_the_next_one_listens() throws Exception {
    DataSource dataSource = sandbox.dataSource();
    try (Channels crowded = new Channels(dataSource, failing(1))) {
      Wakeup wakeup = crowded.named("a");
      WakeRecorder refused = new WakeRecorder();
      assertThatThrownBy(() -> wakeup.subscribe(refused)).isInstanceOf(OutOfMemoryError.class);
      assertThat(crowded.connectionsToCome(dataSource)).isEqualTo(1);

      WakeRecorder next = new WakeRecorder();
      Wakeup.Subscription subscription = wakeup.subscribe(next);
      assertThat(next.next()).as("it listens").isEmpty();
      there.named("a").wake(ONE);
      assertThat(next.next()).isEqualTo(ONE);
      assertThat(refused.isSilent()).isTrue();

      subscription.close();
      await("the end of the session", () -> !threads().contains("outbox-listen"));
    }
  }

  /** No thread can be started so many times. */
  private static ThreadFactory failing(int times) {
    AtomicInteger made = new AtomicInteger();
    return work ->
        made.incrementAndGet() > times
            ? new Thread(work)
            : new Thread(work) {
              @Override
              public synchronized void start() {
                throw new OutOfMemoryError("unable to create native thread");
              }
            };
  }

  private static List<Notice> said(Connection listener) throws SQLException {
    List<Notice> said = new ArrayList<>();
    PGConnection driver = listener.unwrap(PGConnection.class);
    for (int round = 0; round < 5; round++) {
      for (var notification : driver.getNotifications(100)) {
        said.add(Notice.of(notification.getParameter()));
      }
    }
    return said;
  }

  private static void end(String which) throws SQLException {
    try (Connection admin = sandbox.openAdmin()) {
      String killed =
          ask(
              admin,
              "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '%s' AND %s"
                  .formatted(sandbox.name(), which));
      assertThat(killed).isEqualTo("1");
    }
  }

  private static int sessions() {
    try (Connection admin = sandbox.openAdmin()) {
      return Integer.parseInt(
          ask(
              admin,
              "SELECT count(*) FROM pg_stat_activity WHERE datname = '%s'"
                  .formatted(sandbox.name())));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.equals("outbox-listen") || name.equals("outbox-notify"))
        .toList();
  }

  private static void await(String what, Callable<Boolean> condition) {
    Await.until(what, Duration.ofSeconds(30), condition);
  }

  private static void run(Connection connection, String... sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String each : sql) {
        statement.execute(each);
      }
    }
  }

  private static String ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
