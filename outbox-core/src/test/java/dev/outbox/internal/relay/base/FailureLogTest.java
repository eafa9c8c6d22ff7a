package dev.outbox.internal.relay.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Claiming;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.internal.relay.LogLines;
import dev.outbox.internal.relay.Samples;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FailureLogTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration BACKOFF = Duration.ofSeconds(4);

  private final FailureLog failures = new FailureLog();
  private final StoredEnvelope first = Samples.ready(1, "a");
  private final StoredEnvelope second = Samples.ready(2, "b");
  private Claiming claiming = Claiming.LANES;
  private Duration now = Duration.ZERO;

  @Test
  void the_first_failure_of_a_topic_names_the_message_the_attempt_the_cause_and_the_next_attempt() {
    List<String> lines = LogLines.of(() -> fail(first, "java.io.IOException: refused\nby peer"));

    assertThat(lines).hasSize(1);
    assertThat(lines.get(0))
        .contains("WARN", "relay=test", "topic=orders", "message=" + first.envelope().id())
        .contains("failed in attempt 3, next attempt in 4.0 s")
        .endsWith("java.io.IOException: refused by peer");
  }

  @Test
  void a_probe_that_fails_is_reported_as_one_because_no_attempt_is_counted() {
    for (StoredEnvelope message : List.of(first, Samples.parked(3, "c", 2))) {
      int counted = message.isParked() ? 2 : 0;
      String error = "a.Probe%d: no".formatted(counted);
      Fate.Park park =
          new Fate.Park(message, HoldReason.FAILED, counted, Duration.ofSeconds(20), error, "");

      List<String> lines = LogLines.of(() -> failures.failed("test", park, Samples.at(now)));

      assertThat(lines)
          .singleElement()
          .asString()
          .contains("failed as a probe of its broker (no attempt counted), next attempt in 20 s: ")
          .doesNotContain("attempt " + counted);
    }
  }

  @Test
  void more_of_the_same_is_one_line_a_minute_with_its_count() {
    assertThat(LogLines.of(() -> fail(first, "a.B: one"))).hasSize(1);
    assertThat(
            LogLines.of(
                () -> {
                  for (int times = 0; times < 500; times++) {
                    fail(second, "a.B: two");
                    pass(Duration.ofMillis(100));
                  }
                }))
        .isEmpty();

    List<String> lines = LogLines.of(() -> pass(MINUTE));

    assertThat(lines).hasSize(1);
    assertThat(lines.get(0)).contains("500 more failures", "a.B: two");
    assertThat(LogLines.of(() -> pass(MINUTE))).as("nothing new").isEmpty();
  }

  @Test
  void another_kind_of_failure_and_another_topic_are_reported_at_once() {
    fail(first, "a.B: one");

    assertThat(LogLines.of(() -> fail(first, "a.C: other"))).hasSize(1);
    assertThat(LogLines.of(() -> fail(ofTopic("mails"), "a.B: one"))).hasSize(1);
  }

  @Test
  void a_topic_works_again_once_none_of_its_messages_is_to_be_tried_again() {
    fail(first, "a.B: one");
    fail(second, "a.B: one");
    failures.delivered(new Fate.Deliver(first));
    assertThat(LogLines.of(() -> pass(Duration.ofSeconds(1)))).isEmpty();
    assertThat(failures.failing()).isEqualTo(Map.of("orders", 1));

    failures.delivered(new Fate.Deliver(second));
    List<String> lines = LogLines.of(() -> pass(Duration.ofSeconds(1)));

    assertThat(lines).anyMatch(line -> line.contains("INFO") && line.contains("recovered"));
    assertThat(lines).anyMatch(line -> line.contains("after 2 failures"));
    assertThat(failures.failing()).isEmpty();
    assertThat(LogLines.of(() -> fail(first, "a.B: one")))
        .as("as if for the first time")
        .hasSize(1);
  }

  @Test
  void nothing_that_is_kept_back_is_reported_after_the_recovery() {
    fail(first, "a.B: one");
    fail(first, "a.B: two");
    failures.delivered(new Fate.Deliver(first));
    pass(Duration.ofSeconds(1));

    assertThat(LogLines.of(() -> failures.close("test", Samples.at(now)))).isEmpty();
  }

  @Test
  void a_topic_or_an_error_stays_in_its_line() {
    String forging = "a\n[main] ERROR forged\u001b[2J\u2028";

    List<String> lines = LogLines.of(() -> fail(ofTopic(forging), "a.B: " + forging));

    assertThat(lines).singleElement().asString().doesNotContain("\u001b", "\u2028");
  }

  @Test
  void the_first_ten_dead_letters_have_a_line_each_and_the_others_one_a_minute() {
    List<String> lines =
        LogLines.of(
            () -> {
              for (int times = 0; times < 25; times++) {
                die(first);
              }
            });
    assertThat(lines).hasSize(10);
    assertThat(lines.get(0)).contains("WARN", "became a dead letter (REJECTED) in attempt 1: bad");

    assertThat(LogLines.of(() -> pass(MINUTE)))
        .singleElement()
        .asString()
        .contains("15 more dead letters");
  }

  @Test
  void dead_letters_count_for_an_hour() {
    die(first);
    pass(Duration.ofMinutes(30));
    die(second);

    assertThat(deadLetters()).isEqualTo(Map.of("orders", 2));
    pass(Duration.ofMinutes(31));
    assertThat(deadLetters()).isEqualTo(Map.of("orders", 1));
    pass(Duration.ofMinutes(60));
    assertThat(deadLetters()).isEmpty();
  }

  @Test
  void what_another_relay_tries_again_by_now_is_forgotten_after_an_hour() {
    fail(first, "a.B: one");
    pass(Duration.ofMinutes(61));

    assertThat(failures.failing()).isEmpty();
  }

  @Test
  void by_rows_any_relay_has_tried_it_again_within_a_minute() {
    claiming = Claiming.ROWS;
    fail(first, "a.B: one", Duration.ofSeconds(1));
    fail(second, "a.B: one", Duration.ofMinutes(30));

    List<String> lines = LogLines.of(() -> pass(Duration.ofMinutes(3)));

    assertThat(failures.failing()).isEqualTo(Map.of("orders", 1));
    assertThat(lines).as("its end was not seen").noneMatch(FailureLogTest::saysRecovered);
    pass(Duration.ofMinutes(29));
    assertThat(failures.failing()).isEmpty();
  }

  @Test
  void by_rows_those_that_are_only_counted_are_forgotten_too() {
    claiming = Claiming.ROWS;
    messages(1500).forEach(each -> fail(each, "a.B: one"));

    pass(MINUTE);
    assertThat(failures.failing()).isEqualTo(Map.of("orders", 1500));
    pass(MINUTE);
    assertThat(failures.failing()).isEmpty();
  }

  @Test
  void one_message_of_another_relay_is_forgotten_though_others_of_its_topic_fail_and_heal() {
    fail(first, "a.B: one");
    List<String> lines =
        LogLines.of(
            () -> {
              for (int minute = 1; minute <= 70; minute++) {
                if (minute % 50 == 0) {
                  fail(second, "a.B: two");
                  failures.delivered(new Fate.Deliver(second));
                }
                pass(MINUTE);
              }
            });

    assertThat(failures.failing()).isEmpty();
    assertThat(lines).as("its end was not seen").noneMatch(line -> line.contains("recovered"));
  }

  @Test
  void a_message_that_waits_for_long_is_not_forgotten_before_it_is_tried_again() {
    fail(first, "a.B: one", Duration.ofHours(6));
    pass(Duration.ofHours(6));
    assertThat(failures.failing()).isEqualTo(Map.of("orders", 1));

    failures.delivered(new Fate.Deliver(first));
    assertThat(LogLines.of(() -> pass(MINUTE))).anyMatch(line -> line.contains("recovered"));
  }

  @Test
  void messages_beyond_those_that_are_remembered_are_counted() {
    List<StoredEnvelope> all = messages(1500);
    all.forEach(each -> fail(each, "a.B: one"));
    assertThat(failures.failing()).isEqualTo(Map.of("orders", 1500));

    all.subList(0, 1000).forEach(each -> failures.delivered(new Fate.Deliver(tried(each))));
    assertThat(LogLines.of(() -> pass(Duration.ofSeconds(1)))).isEmpty();
    assertThat(failures.failing()).isEqualTo(Map.of("orders", 500));

    all.subList(1000, 1500).forEach(each -> fail(tried(each), "a.B: one"));
    assertThat(failures.failing()).isEqualTo(Map.of("orders", 500));

    all.subList(1000, 1500).forEach(each -> failures.delivered(new Fate.Deliver(tried(each))));
    assertThat(failures.failing()).isEmpty();
    assertThat(LogLines.of(() -> pass(MINUTE.plus(BACKOFF))))
        .anyMatch(line -> line.contains("recovered after 2000 failures"));
  }

  @Test
  void messages_that_failed_elsewhere_end_here_and_those_that_are_only_counted_still_fail() {
    List<StoredEnvelope> all = messages(1010);
    all.forEach(each -> fail(each, "a.B: one"));
    for (int id = 5000; id < 5020; id++) { // of a relay that has left
      failures.delivered(new Fate.Deliver(Samples.parked(id, "a", 1)));
    }
    all.subList(0, 1000).forEach(each -> failures.delivered(new Fate.Deliver(tried(each))));

    List<String> early = LogLines.of(() -> pass(BACKOFF));
    all.subList(1000, 1010).forEach(each -> fail(tried(each), "a.B: one"));
    List<String> failing = LogLines.of(() -> pass(MINUTE));
    all.subList(1000, 1010).forEach(each -> failures.delivered(new Fate.Deliver(tried(each))));
    List<String> over = LogLines.of(() -> pass(MINUTE));

    assertThat(early).as("ten wait for another attempt").noneMatch(FailureLogTest::saysRecovered);
    assertThat(failing).noneMatch(FailureLogTest::saysRecovered);
    assertThat(over).anyMatch(line -> line.contains("recovered after 1020 failures"));
  }

  private static boolean saysRecovered(String line) {
    return line.contains("recovered");
  }

  @Test
  void a_follower_takes_nothing_from_the_count() {
    List<StoredEnvelope> all = messages(1001);
    all.forEach(each -> fail(each, "a.B: one"));

    failures.delivered(new Fate.Deliver(Samples.parked(5000, "a", 0)));

    assertThat(failures.failing()).isEqualTo(Map.of("orders", 1001));
  }

  @Test
  void messages_that_are_only_counted_are_forgotten_too() {
    messages(1500).forEach(each -> fail(each, "a.B: one"));

    pass(Duration.ofMinutes(59));
    assertThat(failures.failing()).isEqualTo(Map.of("orders", 1500));
    pass(Duration.ofMinutes(2));
    assertThat(failures.failing()).isEmpty();
  }

  @Test
  void topics_beyond_those_that_are_remembered_share_one_count_until_it_is_over() {
    List<StoredEnvelope> all =
        IntStream.range(0, 1003)
            .mapToObj(number -> ofTopic("topic-" + number))
            .collect(Collectors.toList());
    LogLines.of(() -> all.forEach(each -> fail(each, "a.B: one")));
    assertThat(failures.failing()).hasSize(1001).containsEntry("(others)", 3);

    all.forEach(each -> failures.delivered(new Fate.Deliver(each)));

    assertThat(failures.failing()).isEmpty();
    assertThat(LogLines.of(() -> pass(MINUTE)))
        .filteredOn(line -> line.contains("recovered"))
        .hasSize(1001);
  }

  @Test
  void what_was_kept_back_is_reported_when_the_relay_closes() {
    fail(first, "a.B: one");
    fail(second, "a.B: two");

    assertThat(LogLines.of(() -> failures.close("test", Samples.at(now))))
        .singleElement()
        .asString()
        .contains("1 more failures", "a.B: two");
    assertThat(LogLines.of(() -> failures.close("test", Samples.at(now)))).isEmpty();
  }

  private static List<StoredEnvelope> messages(int count) {
    return IntStream.range(0, count)
        .mapToObj(id -> Samples.ready(id, "a"))
        .collect(Collectors.toList());
  }

  /** The message as it is claimed for its second attempt. */
  private static StoredEnvelope tried(StoredEnvelope message) {
    return new StoredEnvelope(
        message.id(),
        message.lane(),
        message.envelope(),
        new RetryState(1, Duration.ofSeconds(4), ""),
        null);
  }

  private void fail(StoredEnvelope message, String error) {
    fail(message, error, BACKOFF);
  }

  private void fail(StoredEnvelope message, String error, Duration rest) {
    failures.failed(
        "test", new Fate.Park(message, HoldReason.FAILED, 3, rest, error, ""), Samples.at(now));
  }

  private void die(StoredEnvelope message) {
    failures.deadLettered(
        "test", new Fate.Bury(message, Reason.REJECTED, "bad", 1, "", false), Samples.at(now));
  }

  private void pass(Duration time) {
    now = now.plus(time);
    failures.turn("test", claiming, Samples.at(now));
  }

  private Map<String, Integer> deadLetters() {
    return failures.deadLettersOfLastHour(Samples.at(now));
  }

  private static StoredEnvelope ofTopic(String topic) {
    return StoredEnvelope.ready(9, Samples.LANE, Samples.envelope(topic, "a"));
  }
}
