package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Message;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a recording of JDK Flight Recorder shows of a relay. */
class FlightRecordingTest {
  @TempDir Path folder;

  /** A publisher that does what the payload says. */
  private static Publisher obedient() {
    return Publisher.blocking(
            envelope -> {
              switch (envelope.payload().text()) {
                case "fail" -> throw new IllegalStateException("no");
                case "reject" -> throw new IllegalArgumentException("never");
                case "down" -> throw new ConnectException("refused");
                default -> {}
              }
            })
        .classify(
            thrown ->
                thrown instanceof IllegalArgumentException
                    ? Ack.rejected("never")
                    : Ack.of(thrown));
  }

  private static Kit kit(boolean rows) {
    Kit.Builder builder = Kit.builder().publisher(broker -> obedient());
    return (rows ? builder.rows() : builder.lanes(2)).build();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_recording_shows_what_happened_to_messages_and_what_the_database_was_asked(boolean rows)
      throws Exception {
    String topic = "recorded-" + rows;
    List<RecordedEvent> events;
    try (Kit kit = kit(rows);
        Recording recording = new Recording()) {
      recording.enable("dev.outbox.*");
      recording.start();
      kit.enqueue(
          Message.to(topic).text("go"),
          Message.to(topic).text("fail"),
          Message.to(topic).text("reject"));
      kit.relay().drainNow();
      kit.enqueue(Message.to(topic + "-down").text("down"));
      for (int turn = 0; turn < 20; turn++) {
        kit.pass(Duration.ofSeconds(1));
        kit.relay().turn();
      }
      events = events(recording);
    }
    assertThat(of(events, "Publish", topic))
        .extracting(event -> event.getString("outcome"))
        .contains("DELIVERED", "FAILED", "REJECTED");
    assertThat(of(events, "Retry", topic).get(0).getInt("attempts")).isEqualTo(1);
    assertThat(of(events, "Dead", topic).get(0).getString("reason")).isEqualTo("REJECTED");
    assertThat(of(events, "Outage", topic + "-down").get(0).getBoolean("over")).isFalse();
    assertThat(here(events, "Claim")).isNotEmpty().noneMatch(event -> event.getBoolean("failed"));
    assertThat(here(events, "Settle")).anyMatch(event -> event.getInt("messages") == 3);
    assertThat(here(events, rows ? "Claim" : "Read"))
        .anyMatch(event -> event.getInt("messages") == 3);
  }

  @Test
  void no_event_has_a_payload_a_key_or_a_header() throws Exception {
    Path file = folder.resolve("secret.jfr");
    try (Kit kit = kit(false);
        Recording recording = new Recording()) {
      recording.enable("dev.outbox.*");
      recording.start();
      kit.enqueue(
          Message.to("recorded-secrets").key("KEY-4711").header("h", "HEAD-4711").text("fail"));
      kit.relay().drainNow();
      recording.dump(file);
    }
    assertThat(of(RecordingFile.readAllEvents(file), "Retry", "recorded-secrets")).hasSize(1);
    assertThat(RecordingFile.readAllEvents(file))
        .filteredOn(event -> event.getEventType().getName().startsWith("dev.outbox."))
        .noneMatch(event -> event.toString().contains("4711"));
  }

  private List<RecordedEvent> events(Recording recording) throws IOException {
    Path file = Files.createTempFile(folder, "relay", ".jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file);
  }

  private static List<RecordedEvent> of(List<RecordedEvent> events, String name, String topic) {
    return named(events, name).stream()
        .filter(event -> topic.equals(event.getString("topic")))
        .toList();
  }

  /** Those of this thread: other tests run beside. */
  private static List<RecordedEvent> here(List<RecordedEvent> events, String name) {
    String thread = Thread.currentThread().getName();
    return named(events, name).stream()
        .filter(event -> thread.equals(event.getThread().getJavaName()))
        .toList();
  }

  private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
    List<RecordedEvent> named = new ArrayList<>(events);
    named.removeIf(event -> !event.getEventType().getName().equals("dev.outbox." + name));
    return named;
  }
}
