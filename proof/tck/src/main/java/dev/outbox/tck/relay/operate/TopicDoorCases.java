package dev.outbox.tck.relay.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Topics;
import dev.outbox.Topics.Setting;
import dev.outbox.spi.LaneStore;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.Wakes;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Operators pause, limit and change single topics. */
public abstract class TopicDoorCases extends RelayCases {
  private static final Setting NONE = Setting.NONE;

  protected TopicDoorCases(Opener opener) {
    super(opener);
  }

  private Topics topics() {
    return Topics.create(store());
  }

  @Test
  void every_call_changes_one_thing_and_tells_what_is_set() {
    Setting expected = NONE.withPaused(true);
    assertThat(topics().pause("t")).isEqualTo(expected);
    expected = expected.withPerSecond(5);
    assertThat(topics().limit("t", 5)).isEqualTo(expected);
    expected = expected.withInFlight(7);
    assertThat(topics().cap("t", 7)).isEqualTo(expected);
    expected = expected.withStrict(true);
    assertThat(topics().strict("t", true)).isEqualTo(expected);
    assertThat(topics().settings()).containsOnly(Map.entry("t", expected));
    assertThat(topics().unlimited("t")).isEqualTo(NONE.withPaused(true).withStrict(true));
    assertThat(topics().resume("t")).isEqualTo(NONE.withStrict(true));
    assertThat(topics().strict("t", false)).isEqualTo(NONE);
    assertThat(topics().settings()).isEmpty();
  }

  @Test
  void a_call_can_be_repeated() {
    topics().pause("t");
    assertThat(topics().pause("t")).isEqualTo(NONE.withPaused(true));
    topics().resume("t");
    assertThat(topics().resume("t")).isEqualTo(NONE);
    assertThat(topics().unlimited("never set")).isEqualTo(NONE);
    assertThat(topics().settings()).isEmpty();
  }

  @Test
  void relays_are_notified_and_woken() {
    Wakes wakes = new Wakes();
    closing(store().wakeup().subscribe(wakes));
    topics().pause("t");
    try (LaneStore lanes = store().lanes("a", LEASE)) {
      assertThat(lanes.topics()).containsOnly(Map.entry("t", NONE.withPaused(true)));
    }
    topics().resume("t");
    assertThat(wakes.woken).containsExactly(Set.of(), Set.of());
  }

  @Test
  void arguments_that_make_no_sense_are_refused_and_set_nothing() {
    refused(
        "perSecond is 0, the least is 1; pause the topic to stop it", () -> topics().limit("t", 0));
    refused(
        "inFlight is -3, the least is 1; pause the topic to stop it", () -> topics().cap("t", -3));
    refused("topic is empty", () -> topics().pause(""));
    refused("topic has 256 characters, the limit is 255", () -> topics().resume("x".repeat(256)));
    refused("topic has a NUL character", () -> topics().strict("a\0b", true));
    assertThat(topics().settings()).isEmpty();
  }

  private static void refused(String text, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text);
  }
}
