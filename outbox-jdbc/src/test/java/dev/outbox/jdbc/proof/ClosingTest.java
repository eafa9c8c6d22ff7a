package dev.outbox.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.servers.DatabaseServer;
import dev.outbox.testkit.history.Journal;
import dev.outbox.testkit.network.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A relay that is closed under load, by many at once, and while its database is out of reach. */
@OneAtATime
class ClosingTest {
  private static final Duration CLOSE_DEADLINE = Duration.ofSeconds(3);
  private static final Duration PUBLISH_DEADLINE = Duration.ofSeconds(1);
  private static final Duration MARGIN = Duration.ofSeconds(3);
  private static final Duration BOUND = CLOSE_DEADLINE.plusSeconds(3).plus(MARGIN);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int CLOSERS = 4;

  /** How a relay is cut off from its database. */
  private interface Cut {
    /** Returns how to mend it. */
    AutoCloseable make();
  }

  @TestFactory
  Stream<DynamicTest> a_relay_closed_by_several_leaves_no_thread_and_no_session() {
    return Stream.concat(
        Proof.together(
            "by lanes",
            Proof.ALL,
            (database, random) -> closeUnderLoad(Stage.byLanes(database), 100, random)),
        Proof.together(
            "by rows",
            Proof.ALL,
            (database, random) -> closeUnderLoad(Stage.byRows(database), 0, random)));
  }

  /** Without a pool every session of the relay is its own, and is to be gone. */
  private static void closeUnderLoad(Stage stage, int keys, Random random) throws Exception {
    try (stage;
        Journal journal = stage.terms("closing").openJournal()) {
      try (Writers writers = writers(stage, keys)) {
        writers.start(random);
        Relay relay =
            Relay.builder(
                    JdbcStore.create(stage.sandbox().dataSource()),
                    new JournalingPublisher(journal, "closing", Duration.ofMillis(1)))
                .name(name(stage))
                .lease(Duration.ofSeconds(15), Duration.ofSeconds(1))
                .closeDeadline(CLOSE_DEADLINE)
                .listener(new JournalingListener(journal, "closing"))
                .start();
        Await.until("publishes", PATIENCE, () -> stage.journals().published() > 100);
        assertThat(threads(stage)).isNotEmpty();
        closeByMany(relay);
        Await.until("no thread is left", BOUND, () -> threads(stage).isEmpty());
      }
      stage.pool().close();
      Await.until("no session is left", BOUND, () -> stage.sandbox().sessions() == 0);
    }
  }

  private static void closeByMany(Relay relay) throws Exception {
    long begun = System.nanoTime();
    ConcurrentLinkedQueue<Duration> taken = new ConcurrentLinkedQueue<>();
    List<CompletableFuture<Void>> closers = new ArrayList<>();
    for (int closer = 0; closer < CLOSERS; closer++) {
      closers.add(
          CompletableFuture.runAsync(
              () -> {
                relay.close();
                taken.add(Duration.ofNanos(System.nanoTime() - begun));
              },
              task -> new Thread(task, "closer").start()));
    }
    CompletableFuture.allOf(closers.toArray(CompletableFuture<?>[]::new))
        .get(BOUND.toSeconds(), TimeUnit.SECONDS);
    assertThat(taken).hasSize(CLOSERS).allMatch(time -> time.compareTo(BOUND) < 0);
    relay.close();
  }

  @TestFactory
  Stream<DynamicTest> a_close_while_the_database_is_silent_returns_in_time() {
    return Stream.concat(
        Proof.together(
            "by lanes",
            Proof.SERVERS,
            (database, random) -> closeInSilence(Stage.byLanes(database), 100, random)),
        Proof.together(
            "by rows",
            Proof.SERVERS,
            (database, random) -> closeInSilence(Stage.byRows(database), 0, random)));
  }

  private static void closeInSilence(Stage stage, int keys, Random random) throws Exception {
    try (stage;
        TcpProxy network = TcpProxy.before(stage.sandbox().url())) {
      closeDuring(
          stage, network.through(stage.sandbox().url()), keys, random, () -> silence(network));
    }
  }

  private static AutoCloseable silence(TcpProxy network) {
    network.silence();
    return () -> {};
  }

  @TestFactory
  Stream<DynamicTest> a_close_while_the_database_is_stopped_returns_in_time() {
    return Proof.together(
        Proof.ALL,
        (database, random) -> {
          try (Stage stage = Stage.byLanes(database)) {
            DatabaseServer server = stage.sandbox().server();
            closeDuring(stage, stage.sandbox().url(), 100, random, () -> stopped(server));
          }
        });
  }

  private static AutoCloseable stopped(DatabaseServer server) {
    server.stop();
    return server::start;
  }

  private static void closeDuring(Stage stage, String url, int keys, Random random, Cut cut)
      throws Exception {
    RelayTerms terms =
        stage
            .terms(name(stage))
            .login(stage.login(url))
            .volume(20, 200)
            .deadlines(PUBLISH_DEADLINE, CLOSE_DEADLINE)
            .perMessage(Duration.ofMillis(5));
    try (Writers writers = writers(stage, keys);
        RelayUnit relay = RelayUnit.joined(terms)) {
      writers.start(random);
      Await.until("publishes", PATIENCE, () -> stage.journals().published() > 100);
      AutoCloseable mend = cut.make();
      try (mend) {
        Duration taken = relay.leave();
        Duration gone =
            Await.until(
                "no thread is left",
                PUBLISH_DEADLINE.plusSeconds(10).plus(BOUND),
                () -> threads(stage).isEmpty());
        Proof.tell(
            "%s: closed in %s during an outage, the last thread ended %s later"
                .formatted(stage.database(), taken, gone));
        assertThat(taken).isLessThan(BOUND);
      }
    }
  }

  private static Writers writers(Stage stage, int keys) {
    return stage.writers(
        Writers.Plan.steady(2, Duration.ofMillis(5)), new KeyRing(keys), Long.MAX_VALUE);
  }

  private static String name(Stage stage) {
    return "closing-" + stage.sandbox().name();
  }

  private static List<String> threads(Stage stage) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("outbox-" + name(stage)))
        .toList();
  }
}
