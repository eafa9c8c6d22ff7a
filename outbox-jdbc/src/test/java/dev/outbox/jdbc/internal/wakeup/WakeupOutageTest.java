package dev.outbox.jdbc.internal.wakeup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_ERR)
class WakeupOutageTest {
  private final WakeupOutage wakeupOutage = new WakeupOutage("the line");

  @Test
  void rests_grow_to_five_seconds_and_begin_again_afterwards() {
    assertThat(failed()).isBetween(Duration.ofMillis(37), Duration.ofMillis(50));
    IntStream.range(0, 100).forEach(each -> failed());
    assertThat(failed()).isBetween(Duration.ofMillis(3750), Duration.ofMillis(5000));

    wakeupOutage.over();
    assertThat(failed()).isLessThanOrEqualTo(Duration.ofMillis(50));
  }

  @Test
  void is_logged_once_when_it_begins_and_once_when_it_ends() {
    List<String> lines =
        loggedBy(
            () -> {
              wakeupOutage.over();
              failed();
              failed();
              wakeupOutage.over();
              wakeupOutage.over();
            });

    assertThat(lines).filteredOn(line -> line.contains("the line")).hasSize(2);
    assertThat(lines).anyMatch(line -> line.contains("WARN") && line.contains("the line failed"));
    assertThat(lines)
        .anyMatch(line -> line.contains("INFO") && line.contains("again after"))
        .anyMatch(line -> line.contains("2 failures"));
  }

  private Duration failed() {
    return wakeupOutage.failed(new SQLException("gone"));
  }

  private static List<String> loggedBy(Runnable work) {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      work.run();
    } finally {
      System.setErr(before);
    }
    return log.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
