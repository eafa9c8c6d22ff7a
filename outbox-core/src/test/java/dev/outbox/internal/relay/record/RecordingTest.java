package dev.outbox.internal.relay.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.internal.relay.Samples;
import dev.outbox.publish.RelayListener.Outcome;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.StoredEnvelope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RecordingTest {
  @Test
  void nothing_of_the_recorder_is_loaded_while_there_is_no_recording() throws Exception {
    assertThat(loaded())
        .contains("dev.outbox.internal.relay.record.Recording ")
        .doesNotContain(
            "dev.outbox.internal.relay.record.CallEvent",
            "dev.outbox.internal.relay.record.Fenced",
            "dev.outbox.internal.relay.record.MessageEvent",
            "jdk.jfr.internal.MetadataRepository");
  }

  @Test
  void events_are_loaded_once_there_is_a_recording() throws Exception {
    assertThat(loaded("-XX:StartFlightRecording"))
        .contains(
            "dev.outbox.internal.relay.record.CallEvent$Read ",
            "dev.outbox.internal.relay.record.MessageEvent$Publish ");
  }

  /** What another JVM says that it loads. */
  private static String loaded(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xlog:class+load:stdout");
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Calls.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  /** The calls of a relay at its start, on the way of a message, and when something fails. */
  static final class Calls {
    private Calls() {}

    public static void main(String[] arguments) {
      Recording.claim(List::of);
      Recording.read(1, List::of);
      Recording.settle(1, 1, () -> true);
      if (Recording.isPublishRecorded()) {
        Recording.published("orders", Outcome.DELIVERED, 1, Duration.ZERO);
      }
      StoredEnvelope message = Samples.ready(1, "k");
      Recording.retried(new Fate.Park(message, HoldReason.FAILED, 1, Duration.ZERO, "down", ""));
      Recording.deadLettered(new Fate.Bury(message, Reason.REJECTED, "bad", 1, "", false));
      Recording.outage("orders", false);
      Recording.fenced(1);
    }
  }
}
