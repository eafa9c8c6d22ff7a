package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writers and publishers on virtual threads keep no carrier thread while they wait. Before JDK 24 a
 * monitor did, and drivers and pools have monitors.
 */
@Tag("proof")
@EnabledForJreRange(min = JRE.JAVA_24)
@Timeout(120)
class VirtualThreadsTest {
  private static final String PINNED = "jdk.VirtualThreadPinned";
  private static final int WRITERS = 50;
  private static final int EACH = 40;

  @TempDir private Path folder;

  @Test
  void nothing_is_pinned_while_fifty_write_and_a_relay_publishes() throws Exception {
    writeAndPublish(); // who loads a class for the first time is pinned meanwhile

    assertThat(pinned(this::writeAndPublish)).isEmpty();
  }

  @Test
  void the_recording_sees_a_thread_that_is_pinned() throws Exception {
    List<RecordedEvent> pinned =
        pinned(() -> onVirtualThreads(1, () -> assertThat(Waiting.DONE).isTrue()));

    assertThat(pinned).isNotEmpty();
  }

  private void writeAndPublish() throws Exception {
    try (HikariDataSource dataSource = new HikariDataSource()) {
      dataSource.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
      Schema.builder(dataSource).create();
      JdbcStore store = JdbcStore.create(dataSource);
      Outbox outbox = Outbox.create(store);
      CountDownLatch published = new CountDownLatch(WRITERS * EACH);
      Publisher slow =
          Publisher.blocking(
              envelope -> {
                Thread.sleep(1);
                published.countDown();
              });
      try (Relay relay = Relay.builder(store, slow).virtualThreads().start()) {
        onVirtualThreads(WRITERS, () -> write(dataSource, outbox));
        assertThat(published.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(relay.status().counts().fenced()).isZero();
      }
    }
  }

  private static void write(HikariDataSource dataSource, Outbox outbox) throws Exception {
    for (int i = 0; i < EACH; i++) {
      try (Connection connection = dataSource.getConnection()) {
        connection.setAutoCommit(false);
        outbox.enqueue(connection, Message.to("orders").key("k" + i).json("{}"));
        connection.commit();
        outbox.wake();
      }
    }
  }

  /** Takes its time when it is initialised, which holds the thread under it. */
  private static final class Waiting {
    static final Boolean DONE = rested();

    private static Boolean rested() {
      try {
        Thread.sleep(50);
        return true;
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  private static void onVirtualThreads(int threads, Work work) throws Exception {
    ExecutorService executor =
        (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      all.add(
          executor.submit(
              () -> {
                work.run();
                return null;
              }));
    }
    for (Future<?> each : all) {
      each.get();
    }
    executor.shutdown();
  }

  private List<RecordedEvent> pinned(Work work) throws Exception {
    Path file = folder.resolve("pinned.jfr");
    try (Recording recording = new Recording()) {
      recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
    }
    return events(file);
  }

  private static List<RecordedEvent> events(Path file) throws IOException {
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    Files.delete(file);
    return events.stream().filter(event -> event.getEventType().getName().equals(PINNED)).toList();
  }
}
