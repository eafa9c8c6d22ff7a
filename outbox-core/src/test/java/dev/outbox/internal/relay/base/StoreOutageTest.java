package dev.outbox.internal.relay.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.LogLines;
import dev.outbox.internal.relay.Recorded;
import dev.outbox.internal.relay.Samples;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StoreOutageTest {
  private final StoreOutage outage =
      new StoreOutage("test", () -> Samples.atSecond(0), new Random());

  @Test
  void a_database_that_does_not_answer_is_reported_once_and_when_it_is_back() {
    List<String> lines =
        LogLines.of(
            () -> {
              outage.failed(StoreException.passing("refused", null));
              outage.failed(StoreException.passing("refused", null));
              outage.over();
            });

    assertThat(lines)
        .anyMatch(line -> line.contains("relay=test database available again after"))
        .filteredOn(line -> line.contains("WARN"))
        .singleElement()
        .asString()
        .contains("relay=test database unavailable, retrying");
  }

  @Test
  void a_call_that_the_database_refused_is_not_reported_as_its_absence() {
    List<String> lines =
        LogLines.of(
            () -> {
              outage.failed(StoreException.contended("lock timeout", null));
              outage.failed(StoreException.lasting("no such table", null));
              outage.over();
            });

    assertThat(lines)
        .noneMatch(line -> line.contains("unavailable") || line.contains("available again"))
        .anyMatch(line -> line.contains("INFO") && line.contains("goes on after"))
        .filteredOn(line -> line.contains("WARN"))
        .singleElement()
        .asString()
        .contains("relay=test the database refused a call, retrying");
  }

  @Test
  void an_outage_and_its_end_are_in_a_recording() {
    assertThat(
            Recorded.of(
                "dev.outbox.Outage",
                () -> {
                  outage.failed(StoreException.passing("refused", null));
                  outage.over();
                }))
        .extracting(event -> event.getString("topic") + " " + event.getBoolean("over"))
        .containsExactly("null false", "null true");
  }

  @Test
  void a_fault_of_our_own_is_not_blamed_on_the_database() {
    List<String> lines =
        LogLines.of(
            () -> {
              outage.failed(new IllegalStateException("a bug"));
              outage.failed(new IllegalStateException("a bug"));
              outage.over();
            });

    assertThat(lines)
        .noneMatch(
            line -> line.contains("database unavailable") || line.contains("available again"))
        .anyMatch(line -> line.contains("INFO") && line.contains("goes on after"))
        .filteredOn(line -> line.contains("ERROR"))
        .singleElement()
        .asString()
        .contains("relay=test internal error, retrying");
  }

  @Test
  void a_fault_of_our_own_is_reported_in_an_outage_too_and_again_in_the_next() {
    assertThat(
            LogLines.of(
                () -> {
                  outage.failed(StoreException.passing("refused", null));
                  outage.failed(new IllegalStateException("a bug"));
                }))
        .anyMatch(line -> line.contains("database unavailable"))
        .anyMatch(line -> line.contains("internal error"));
    outage.over();

    assertThat(LogLines.of(() -> outage.failed(new IllegalStateException("a bug"))))
        .anyMatch(line -> line.contains("internal error"));
  }
}
