package dev.outbox.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.engine.DebeziumEngine.Offsets;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The sample of the page, on a producer that answers when it is told to. */
@Timeout(20)
class EngineMainTest {
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final Marks marks = new Marks();

  @Test
  void the_next_message_of_a_key_is_not_sent_when_Kafka_refuses_one() throws Exception {
    FutureTask<Void> sending =
        sending(List.of(message("a", "1"), message("b", "1"), message("a", "2")));
    await(() -> producer.history().size() >= 2);
    assertThat(producer.errorNext(new RecordTooLargeException("too large"))).isTrue();

    assertThat(sending)
        .failsWithin(10, TimeUnit.SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .havingCause()
        .withMessage("Kafka has refused a record");
    assertThat(sent()).containsExactly("a 1", "b 1");
    assertThat(marks.marked).isEmpty();
  }

  @Test
  void messages_without_a_key_do_not_wait_for_each_other() throws Exception {
    FutureTask<Void> sending =
        sending(List.of(message(null, "1"), message(null, "2"), message("a", "1")));
    await(() -> producer.history().size() == 3);
    assertThat(marks.marked).isEmpty();
    await(() -> !producer.completeNext());
    assertThat(sending).succeedsWithin(10, TimeUnit.SECONDS);
    assertThat(marks.marked).hasSize(3);
  }

  private FutureTask<Void> sending(List<RecordChangeEvent<SourceRecord>> batch) {
    FutureTask<Void> sending =
        new FutureTask<>(
            () -> {
              EngineMain.send(batch, marks, producer);
              return null;
            });
    new Thread(sending, "engine").start();
    return sending;
  }

  private static RecordChangeEvent<SourceRecord> message(@Nullable String key, String text) {
    SourceRecord record =
        new SourceRecord(
            Map.of(),
            Map.of(),
            Load.TOPIC,
            null,
            Schema.OPTIONAL_BYTES_SCHEMA,
            key == null ? null : key.getBytes(StandardCharsets.UTF_8),
            Schema.BYTES_SCHEMA,
            text.getBytes(StandardCharsets.UTF_8));
    return () -> record;
  }

  private List<String> sent() {
    return producer.history().stream()
        .map(each -> new String(each.key(), StandardCharsets.UTF_8) + " " + text(each.value()))
        .toList();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private interface Question {
    boolean isTrue() throws Exception;
  }

  private static void await(Question question) throws Exception {
    while (!question.isTrue()) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  /** What is marked as processed. */
  private static final class Marks implements RecordCommitter<RecordChangeEvent<SourceRecord>> {
    private final List<RecordChangeEvent<SourceRecord>> marked = new ArrayList<>();

    @Override
    public void markProcessed(RecordChangeEvent<SourceRecord> event) {
      marked.add(event);
    }

    @Override
    public void markBatchFinished() {}

    @Override
    public void markProcessed(RecordChangeEvent<SourceRecord> event, Offsets offsets) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Offsets buildOffsets() {
      throw new UnsupportedOperationException();
    }
  }
}
