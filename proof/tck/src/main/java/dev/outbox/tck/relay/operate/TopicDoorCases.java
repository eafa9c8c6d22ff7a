package dev.outbox.tck.relay.operate;

import static dev.outbox.publish.RetryPolicy.standard;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Relay;
import dev.outbox.Snapshot;
import dev.outbox.Snapshot.Depth;
import dev.outbox.StoreException;
import dev.outbox.Topics;
import dev.outbox.Topics.Setting;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.LaneStore;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.Wakes;
import dev.outbox.testkit.internal.intercept.InterceptedStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Operators pause, limit and change single topics. */
public abstract class TopicDoorCases extends RelayCases {
  private static final Setting NONE = Setting.NONE;
  private static final String DOUBT =
      "topic typo has no waiting message and no dead letter; check its spelling. ";

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
        "perSecond is 0, the minimum is 1; pause the topic to stop it",
        () -> topics().limit("t", 0));
    refused(
        "inFlight is -3, the minimum is 1; pause the topic to stop it",
        () -> topics().cap("t", -3));
    refused("topic is empty", () -> topics().pause(""));
    refused("topic has 256 characters, the limit is 255", () -> topics().resume("x".repeat(256)));
    refused("topic has a NUL character", () -> topics().strict("a\0b", true));
    refused("topic is empty", () -> topics().spellingDoubt(""));
    refused("topic has blanks only", () -> topics().pause(" "));
    refused(
        "topic has blanks only",
        () -> Relay.builder(store(), Publisher.blocking(each -> {})).retry(" ", standard()));
    assertThat(topics().settings()).isEmpty();
  }

  @Test
  void a_topic_that_nobody_has_seen_may_be_misspelt() throws Exception {
    assertThat(topics().spellingDoubt("typo")).hasValue(DOUBT + "There are no messages");
    commit(message("k", "1"), Message.to("mails").deliverAfter(REST).text("2"));
    assertThat(topics().spellingDoubt("typo"))
        .hasValue(DOUBT + "There are messages of mails, orders.placed");
    assertThat(topics().settings()).as("to ask changes nothing").isEmpty();
  }

  @Test
  void a_topic_that_has_a_message_or_a_setting_is_not_doubted() throws Exception {
    broker.rejectIf(envelope -> true, "no");
    commit(message("k", "1"));
    started("a").drainNow();
    commit(Message.to("mails").deliverAfter(REST).text("2"));
    topics().pause("set");
    assertThat(dead()).hasSize(1);
    assertThat(Stream.of(TOPIC, "mails", "set").map(topics()::spellingDoubt))
        .containsOnly(Optional.empty());
  }

  @Test
  void a_doubt_is_one_line_with_the_first_20_topics() {
    Map<String, Depth> others = new HashMap<>();
    for (int i = 10; i <= 30; i++) {
      others.put("t\n" + i, new Depth(1, 0, 0, 0)); // of a writer that is not this library
    }
    Snapshot snapshot = Snapshot.of(others, Map.of(), null, null, List.of(), List.of());
    assertThat(seeing(() -> snapshot).spellingDoubt("typo").orElseThrow())
        .startsWith(DOUBT + "There are messages of t 10, t 11")
        .endsWith(", t 29");
  }

  @Test
  void who_may_not_look_is_told_no_doubt_and_changes_the_topic() {
    Topics blind =
        seeing(
            () -> {
              throw StoreException.lasting("no right to look", null);
            });
    assertThat(blind.spellingDoubt("typo")).isEmpty();
    assertThat(blind.pause("typo")).isEqualTo(NONE.withPaused(true));
  }

  private Topics seeing(Supplier<Snapshot> look) {
    return Topics.create(
        new InterceptedStore(store()) {
          @Override
          public Snapshot snapshot(long bound) {
            return look.get();
          }
        });
  }

  private static void refused(String text, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text);
  }
}
