package dev.outbox.tck.store.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.Topics.Setting;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.TopicStore;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.internal.Crew;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is set per topic is seen by all and lost by none. */
public abstract class TopicCases extends StoreCases {
  private static final Setting PAUSED = Setting.NONE.withPaused(true);
  private static final int THREADS = 8;
  private static final int ROUNDS = 25;

  private TopicStore topics;

  @SuppressWarnings("NullAway.Init")
  protected TopicCases(Opener opener) {
    super(opener);
  }

  @BeforeEach
  void openTopics() {
    topics = store().topics();
  }

  @Test
  void nothing_is_set_at_first() {
    assertThat(topics.all()).isEmpty();
    assertThat(relay("a").topics()).isEmpty();
  }

  @Test
  void what_is_set_is_kept_and_told() {
    assertThat(topics.change("a", setting -> setting.withPaused(true))).isEqualTo(PAUSED);
    Setting full = new Setting(true, true, Integer.MAX_VALUE, 1);
    assertThat(topics.change("b", any -> full)).isEqualTo(full);
    topics.change("c", setting -> setting.withPerSecond(1));
    topics.change("d", setting -> setting.withInFlight(Integer.MAX_VALUE));
    topics.change("e", setting -> setting.withStrict(true));
    assertThat(topics.all())
        .containsOnly(
            Map.entry("a", PAUSED),
            Map.entry("b", full),
            Map.entry("c", new Setting(false, false, 1, null)),
            Map.entry("d", new Setting(false, false, null, Integer.MAX_VALUE)),
            Map.entry("e", new Setting(false, true, null, null)));
  }

  @Test
  void the_topics_of_messages_that_wait_or_are_dead_are_reported() throws Exception {
    assertThat(store().snapshot(10).topics().keySet()).isEmpty();
    commit(
        Sample.of("parked", "p", "1"),
        Sample.of("dead", "d", "2"),
        Sample.of("ready", "r", "3"),
        Sample.after(Duration.ofHours(1), "4"));
    LaneStore relay = relay("a");
    List<StoredEnvelope> read = read(relay, LANE);
    settle(
        relay,
        leaseOf(relay, LANE),
        new Fate.Park(read.get(0), HoldReason.TOPIC, 0, null, null, ""),
        new Fate.Bury(read.get(1), Reason.REJECTED, "e", 1, "h", false));
    assertThat(store().snapshot(10).topics().keySet())
        .containsExactlyInAnyOrder("parked", "dead", "ready", Sample.TOPIC);
  }

  @Test
  void a_change_starts_from_what_is_set() {
    topics.change("a", setting -> setting.withPaused(true));
    topics.change("a", setting -> setting.withPerSecond(7));
    topics.change("a", setting -> setting.withStrict(true));
    topics.change("a", setting -> setting.withPaused(false));
    assertThat(topics.all()).containsOnly(Map.entry("a", new Setting(false, true, 7, null)));
  }

  @Test
  void a_relay_sees_it_over_its_own_session() {
    try (LaneStore before = relay("a")) {
      assertThat(before.topics()).isEmpty();
      topics.change("t", setting -> setting.withPaused(true));
      assertThat(before.topics()).containsOnly(Map.entry("t", PAUSED));
      assertThat(relay("b").topics()).containsOnly(Map.entry("t", PAUSED));
      topics.change("t", setting -> setting.withPaused(false));
      assertThat(before.topics()).isEmpty();
    }
  }

  @Test
  void a_setting_that_says_nothing_is_forgotten() {
    topics.change("a", setting -> setting.withPaused(true).withInFlight(3));
    topics.change("b", UnaryOperator.identity());
    topics.change("a", any -> new Setting(false, false, null, null));
    assertThat(topics.all()).isEmpty();
    assertThat(topics.change("a", UnaryOperator.identity())).isEqualTo(Setting.NONE);
  }

  @Test
  void a_change_that_throws_changes_nothing_and_blocks_nobody() throws Exception {
    topics.change("a", setting -> setting.withPaused(true));
    for (String topic : List.of("a", "fresh")) {
      assertThatThrownBy(() -> topics.change(topic, TopicCases::refused))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessage("refused");
    }
    assertThat(topics.all()).containsOnly(Map.entry("a", PAUSED));
    Crew.within(SOON, () -> topics.change("a", setting -> setting.withPaused(false)));
    Crew.within(SOON, () -> topics.change("fresh", setting -> setting.withPaused(true)));
    assertThat(topics.all()).containsOnly(Map.entry("fresh", PAUSED));
  }

  private static Setting refused(Setting any) {
    throw new UnsupportedOperationException("refused");
  }

  @Test
  void limits_below_one_are_refused() {
    assertThatThrownBy(() -> topics.change("a", setting -> setting.withPerSecond(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("perSecond is 0, the minimum is 1");
    assertThatThrownBy(() -> topics.change("a", setting -> setting.withInFlight(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("inFlight is -1, the minimum is 1");
    assertThat(topics.all()).isEmpty();
  }

  @Test
  void topics_are_distinguished_exactly() {
    List<String> similar =
        List.of("t", "T", "t ", " t", "\u00E4", "a", "a\u0308", "\uD83D\uDE80", "x".repeat(255));
    for (int i = 0; i < similar.size(); i++) {
      int limit = i + 1;
      topics.change(similar.get(i), setting -> setting.withPerSecond(limit));
    }
    assertThat(topics.all()).hasSize(similar.size());
    for (int i = 0; i < similar.size(); i++) {
      assertThat(topics.all().get(similar.get(i))).isEqualTo(Setting.NONE.withPerSecond(i + 1));
    }
  }

  @Test
  void operators_of_one_topic_undo_nothing_of_each_other() throws Exception {
    together("t", TopicCases::oneMore);
    assertThat(topics.all())
        .containsOnly(Map.entry("t", Setting.NONE.withPerSecond(THREADS * ROUNDS)));
  }

  @Test
  void operators_that_set_and_unset_end_with_nothing() throws Exception {
    together("t", TopicCases::oneMore, TopicCases::oneLess);
    assertThat(topics.all()).isEmpty();
  }

  @SafeVarargs
  private void together(String topic, UnaryOperator<Setting>... changes) throws Exception {
    long deadlocks = environment().deadlocks();
    List<Callable<Integer>> operators = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      operators.add(
          () -> {
            for (int round = 0; round < ROUNDS; round++) {
              for (UnaryOperator<Setting> change : changes) {
                store().topics().change(topic, change);
              }
            }
            return ROUNDS;
          });
    }
    Crew.together(operators);
    assertThat(environment().deadlocks()).isEqualTo(deadlocks);
  }

  /** Takes its time, so that two at once would undo each other. */
  private static Setting oneMore(Setting setting) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    return setting.withPerSecond(setting.perSecond() == null ? 1 : setting.perSecond() + 1);
  }

  private static Setting oneLess(Setting setting) {
    int before = setting.perSecond() == null ? 0 : setting.perSecond();
    return setting.withPerSecond(before == 1 ? null : Integer.valueOf(before - 1));
  }

  @Test
  void operators_of_different_topics_work_side_by_side() throws Exception {
    List<Callable<Setting>> operators = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      String topic = "topic " + i;
      operators.add(
          () -> {
            for (int round = 1; round < ROUNDS; round++) {
              store().topics().change(topic, TopicCases::oneMore);
            }
            return store().topics().change(topic, TopicCases::oneMore);
          });
    }
    assertThat(Crew.together(operators)).containsOnly(Setting.NONE.withPerSecond(ROUNDS));
    assertThat(topics.all()).hasSize(THREADS);
  }
}
