package dev.outbox.internal.relay.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.publish.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RelaySettingsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void a_lease_is_at_least_three_renewals() {
    assertThat(new RelaySettings.Leasing(Duration.ofSeconds(3), SECOND).sureFor())
        .isEqualTo(Duration.ofMillis(2700));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RelaySettings.Leasing(Duration.ofMillis(2999), SECOND))
        .withMessage("lease is PT2.999S, it must be at least three renewals of PT1S, that is PT3S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RelaySettings.Leasing(SECOND, Duration.ZERO))
        .withMessage("renewal is PT0S, it must be positive");
  }

  @Test
  void a_batch_fits_into_what_may_be_in_flight() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RelaySettings.Volume(501, 500, 1, 1))
        .withMessage(
            "batch is 501, more than the 500 messages allowed in flight; lower batch(..) or raise maxInFlight(..)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RelaySettings.Volume(0, 500, 1, 1))
        .withMessage("batch is 0, the minimum is 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RelaySettings.Volume(1, 1, 0, 1))
        .withMessage("maxInFlight bytes is 0, the minimum is 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RelaySettings.Volume(1, 1, 1, 0))
        .withMessage("publishThreads is 0, the minimum is 1");
  }

  @Test
  void deadlines_are_positive_and_short_enough_to_be_counted() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RelaySettings.Deadlines(Duration.ZERO, SECOND, SECOND, SECOND))
        .withMessage("publishDeadline is PT0S, it must be positive");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RelaySettings.Deadlines(SECOND, SECOND.negated(), SECOND, SECOND))
        .withMessage("closeDeadline is PT-1S, it must be positive");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new RelaySettings.Deadlines(
                    SECOND, Duration.ofSeconds(Long.MAX_VALUE), SECOND, SECOND))
        .withMessage("closeDeadline is PT2562047788015215H30M7S, the limit is PT24H");
  }

  @Test
  void an_idle_relay_wakes_often_enough_to_keep_its_leases() {
    assertThat(settings(Duration.ofSeconds(5)).deadlines().poll()).isEqualTo(Duration.ofSeconds(5));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings(Duration.ofSeconds(6)))
        .withMessage(
            "poll is PT6S, longer than the renewal of PT5S, so an idle relay would lose its leases; lower poll(..) or raise lease(..)");
  }

  @Test
  void a_topic_has_its_own_policy_or_the_standard_one() {
    RetryPolicy own = RetryPolicy.standard().atMost(1);
    RetryPolicy standard = RetryPolicy.standard();
    RelaySettings.Retries retries = new RelaySettings.Retries(standard, Map.of("orders", own));

    assertThat(retries.of("orders")).isSameAs(own);
    assertThat(retries.of("invoices")).isSameAs(standard);
  }

  @Test
  void a_grace_is_positive_and_at_most_a_day() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings(SECOND, Duration.ZERO))
        .withMessage("grace is PT0S, it must be positive");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings(SECOND, Duration.ofHours(25)))
        .withMessage("grace is PT25H, the limit is PT24H");
  }

  private static RelaySettings settings(Duration poll) {
    return settings(poll, SECOND);
  }

  private static RelaySettings settings(Duration poll, Duration grace) {
    return new RelaySettings(
        "test",
        new RelaySettings.Leasing(Duration.ofSeconds(15), Duration.ofSeconds(5)),
        new RelaySettings.Volume(1, 1, 1, 1),
        new RelaySettings.Deadlines(SECOND, SECOND, poll, SECOND),
        new RelaySettings.Retries(RetryPolicy.standard(), Map.of()),
        grace,
        new GuardedListener("test", List.of()));
  }

  @Test
  void eight_batches_are_in_flight_unless_one_says_so() {
    assertThat(RelaySettings.Volume.inFlight(500)).isEqualTo(4000);
    assertThat(RelaySettings.Volume.inFlight(100)).isEqualTo(2000);
    assertThat(RelaySettings.Volume.inFlight(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
  }
}
