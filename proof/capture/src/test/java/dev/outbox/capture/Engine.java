package dev.outbox.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/** The real engine of Debezium on a thread of this JVM, and what comes out of it. Thread-safe. */
final class Engine implements AutoCloseable {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

  private final List<SourceRecord> records = new ArrayList<>();
  private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
  private final Thread thread;
  private volatile @Nullable Throwable failure;

  private Engine(Properties settings) {
    settings.setProperty(
        "offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    this.engine =
        DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
            .using(settings)
            .notifying(event -> add(event.record()))
            .using(
                (success, message, error) -> {
                  failure = success ? null : error == null ? new IOException(message) : error;
                })
            .build();
    this.thread = new Thread(engine, "engine");
  }

  static Engine start(Properties settings) {
    Engine engine = new Engine(settings);
    engine.thread.start();
    return engine;
  }

  private synchronized void add(SourceRecord record) {
    if (!record.topic().startsWith("__debezium")) {
      records.add(record);
    }
  }

  /** Bytes in either form that Connect has for them. */
  static byte[] bytes(Object value) {
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return bytes;
    }
    return (byte[]) value;
  }

  synchronized List<SourceRecord> records() {
    return List.copyOf(records);
  }

  /** All up to the first that is meant, which must come. */
  List<SourceRecord> await(Predicate<SourceRecord> last) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE;
    while (records().stream().noneMatch(last)) {
      assertThat(failure).as("why the engine stopped").isNull();
      assertThat(System.nanoTime()).as("in time; came %s", records().size()).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return records();
  }

  /** Why it has stopped, or null. */
  @Nullable Throwable failure() {
    return failure;
  }

  Throwable awaitFailure() throws InterruptedException {
    thread.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE));
    assertThat(thread.isAlive()).as("the engine still runs").isFalse();
    assertThat(failure).isNotNull();
    return failure;
  }

  @Override
  public void close() throws IOException {
    if (thread.isAlive()) {
      engine.close();
    }
  }
}
