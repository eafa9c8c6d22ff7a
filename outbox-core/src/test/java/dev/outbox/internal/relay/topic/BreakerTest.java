package dev.outbox.internal.relay.topic;

import static dev.outbox.internal.relay.Samples.at;
import static dev.outbox.internal.relay.Samples.atSecond;
import static dev.outbox.internal.relay.Samples.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BreakerTest {
  private static final Duration FIRST_REST = Duration.ofMillis(250);

  private final Breaker breaker = new Breaker();
  private final Envelope probe = envelope("probe");

  @Test
  void opens_at_the_twentieth_failure_of_two_keys() {
    fail(19, "a", "b");
    assertThat(breaker.isOpen()).isFalse();
    assertThat(breaker.lets(atSecond(0))).isTrue();

    fail(1, "a");

    assertThat(breaker.isOpen()).isTrue();
    assertThat(breaker.lets(atSecond(0))).isFalse();
  }

  @Test
  void is_never_opened_by_one_key_alone() {
    fail(1000, "a");

    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void opens_when_a_second_key_fails_after_many_failures_of_one() {
    fail(1000, "a");
    fail(1, "b");

    assertThat(breaker.isOpen()).isTrue();
  }

  @Test
  void takes_each_message_without_a_key_for_a_key_of_its_own() {
    Envelope poison = envelope(null);
    for (int i = 0; i < 1000; i++) {
      breaker.failed(poison, atSecond(0));
    }
    assertThat(breaker.isOpen()).isFalse();

    breaker.failed(envelope(null), atSecond(0));
    assertThat(breaker.isOpen()).isTrue();
  }

  @Test
  void begins_to_count_again_with_every_delivery() {
    fail(19, "a", "b");
    breaker.delivered(probe, atSecond(0));
    fail(19, "a", "b");
    assertThat(breaker.isOpen()).isFalse();

    breaker.delivered(probe, atSecond(0));
    fail(1000, "a");
    assertThat(breaker.isOpen()).as("the keys from before count no more").isFalse();
  }

  @Test
  void opens_at_once_when_the_broker_is_down() {
    breaker.down(probe, null, atSecond(0));

    assertThat(breaker.isOpen()).isTrue();
    assertThat(breaker.untilProbe(atSecond(0))).isEqualTo(FIRST_REST);
  }

  @Test
  void rests_twice_as_long_after_every_probe_in_vain_up_to_32_seconds() {
    List<Long> rests = new ArrayList<>();
    Duration now = Duration.ZERO;
    breaker.down(probe, null, at(now));
    for (int round = 0; round < 10; round++) {
      Duration rest = breaker.untilProbe(at(now));
      rests.add(rest.toMillis());
      assertThat(breaker.lets(at(now.plus(rest).minusMillis(1)))).isFalse();
      now = now.plus(rest);
      assertThat(breaker.lets(at(now))).isTrue();
      breaker.letThrough(probe);
      breaker.down(probe, null, at(now));
    }

    assertThat(rests)
        .containsExactly(250L, 500L, 1000L, 2000L, 4000L, 8000L, 16000L, 32000L, 32000L, 32000L);
  }

  @Test
  void doubles_the_rest_when_a_probe_fails_like_a_message() {
    breaker.down(probe, null, atSecond(0));
    breaker.letThrough(probe);

    breaker.failed(probe, atSecond(0));

    assertThat(breaker.untilProbe(atSecond(0))).isEqualTo(FIRST_REST.multipliedBy(2));
  }

  @Test
  void begins_with_the_shortest_rest_again_after_a_delivery() {
    breaker.down(probe, null, atSecond(0));
    breaker.letThrough(probe);
    breaker.down(probe, null, atSecond(1));
    breaker.letThrough(probe);

    breaker.delivered(probe, atSecond(1));
    assertThat(breaker.isOpen()).isFalse();
    assertThat(breaker.lets(atSecond(1))).isTrue();

    breaker.down(probe, null, atSecond(2));
    assertThat(breaker.untilProbe(atSecond(2))).isEqualTo(FIRST_REST);
  }

  @Test
  void stays_open_for_what_was_delivered_before_the_broker_went_down() {
    breaker.down(probe, null, atSecond(2));
    breaker.down(probe, null, atSecond(1));

    breaker.delivered(envelope("older"), atSecond(2));

    assertThat(breaker.isOpen()).isTrue();
    assertThat(breaker.untilProbe(atSecond(2))).isEqualTo(FIRST_REST);
  }

  @Test
  void is_closed_by_what_was_delivered_after_all_that_was_not() {
    breaker.down(probe, null, atSecond(1));
    breaker.down(probe, null, atSecond(2));

    breaker.delivered(envelope("slow"), atSecond(3));

    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void is_closed_by_its_probe_whatever_was_not_delivered_meanwhile() {
    breaker.down(envelope("older"), null, atSecond(0));
    breaker.letThrough(probe);
    breaker.down(envelope("older"), null, atSecond(2));

    breaker.delivered(probe, atSecond(1));

    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void is_closed_by_any_delivery_when_only_failures_have_opened_it() {
    fail(20, "a", "b");

    breaker.delivered(envelope("older"), atSecond(-1));

    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void leaves_the_broker_alone_for_as_long_as_it_asks() {
    breaker.down(probe, Duration.ofMinutes(2), atSecond(0));

    assertThat(breaker.lets(atSecond(119))).isFalse();
    assertThat(breaker.lets(atSecond(120))).isTrue();
  }

  @Test
  void rests_for_its_own_time_when_the_broker_asks_for_less() {
    breaker.down(probe, Duration.ofMillis(1), atSecond(0));

    assertThat(breaker.untilProbe(atSecond(0))).isEqualTo(FIRST_REST);
  }

  @Test
  void listens_to_the_longest_wish_of_those_that_were_in_flight_together() {
    breaker.down(probe, null, atSecond(0));
    breaker.down(probe, Duration.ofSeconds(9), atSecond(0));
    breaker.down(probe, Duration.ofSeconds(3), atSecond(0));

    assertThat(breaker.untilProbe(atSecond(0))).isEqualTo(Duration.ofSeconds(9));
  }

  @Test
  void is_not_opened_twice_by_those_that_were_in_flight_together() {
    for (int i = 0; i < 100; i++) {
      breaker.down(probe, null, atSecond(0));
    }
    fail(100, "a", "b");

    assertThat(breaker.untilProbe(atSecond(0))).isEqualTo(FIRST_REST);
  }

  @Test
  void lets_one_probe_through_and_no_second_until_it_is_answered() {
    breaker.down(probe, null, atSecond(0));
    assertThat(breaker.lets(atSecond(1))).isTrue();

    breaker.letThrough(probe);

    assertThat(breaker.lets(atSecond(1))).isFalse();
    assertThat(breaker.lets(atSecond(3600))).isFalse();
  }

  @Test
  void lets_another_probe_through_at_once_when_the_first_never_flew() {
    breaker.down(probe, null, atSecond(0));
    breaker.letThrough(probe);

    breaker.withdrawn(probe);

    assertThat(breaker.lets(atSecond(1))).isTrue();
    assertThat(breaker.isOpen()).isTrue();
  }

  @Test
  void an_answer_from_before_the_probe_changes_nothing_for_the_probe() {
    Envelope older = envelope("older");
    breaker.down(older, null, atSecond(0));
    breaker.letThrough(probe);

    breaker.down(older, null, atSecond(1));
    breaker.failed(older, atSecond(1));
    breaker.withdrawn(older);

    assertThat(breaker.isProbing()).isTrue();
    assertThat(breaker.lets(atSecond(1))).isFalse();
    breaker.down(probe, null, atSecond(1));
    assertThat(breaker.untilProbe(atSecond(1))).isEqualTo(FIRST_REST.multipliedBy(2));
  }

  @Test
  void answers_of_before_do_not_put_off_the_next_probe() {
    breaker.down(probe, null, atSecond(0));

    breaker.down(envelope("older"), null, at(Duration.ofMillis(200)));

    assertThat(breaker.lets(at(FIRST_REST))).isTrue();
  }

  @Test
  void lets_everything_through_while_it_is_closed() {
    for (int i = 0; i < 100; i++) {
      assertThat(breaker.lets(atSecond(0))).isTrue();
      breaker.letThrough(probe);
    }
  }

  private void fail(int times, String... keys) {
    for (int i = 0; i < times; i++) {
      breaker.failed(envelope(keys[i % keys.length]), atSecond(0));
    }
  }
}
