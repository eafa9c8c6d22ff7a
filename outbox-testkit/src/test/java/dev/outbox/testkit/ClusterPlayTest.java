package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.ClusterPlan.Theme;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several clusters on a virtual clock: the real engine, replication with delays, and what fails.
 * {@code -Doutbox.seed} plays one seed of each theme, {@code -Doutbox.clusters} that many.
 */
final class ClusterPlayTest {
  private static final int SEEDS = Integer.getInteger("outbox.clusters", 25);
  private static final int FEW = Math.min(60, SEEDS);

  /** Where nothing may be repeated at all. */
  private static final Set<Theme> WITHOUT_REPEATS =
      Set.of(Theme.LAG_THAT_STAYS, Theme.ONE_LINK_CUT, Theme.HANDOVERS, Theme.TWO_HAND_OVER);

  /** Where whoever is taken over is so by one cluster for each message. */
  private static final Set<Theme> BY_ONE =
      Set.of(
          Theme.LAG_THAT_STAYS,
          Theme.ONE_KILLED,
          Theme.ONE_LINK_CUT,
          Theme.RELAYS_STAND_STILL,
          Theme.HANDOVERS,
          Theme.TWO_HAND_OVER);

  @ParameterizedTest
  @EnumSource
  void nothing_is_lost_or_stuck_and_every_repeat_comes_from_a_takeover_or_a_crash(Theme theme) {
    List<ClusterOutcome> ours = play(SEEDS, theme, store -> store);
    List<ClusterOutcome> article =
        seeds(SEEDS).mapToObj(seed -> new ArticlePlay(ClusterPlan.of(seed, theme)).run()).toList();
    System.out.printf("%s | ours: %s | the article's: %s%n", theme, sum(ours), sum(article));
    assertThat(ours.stream().filter(each -> !each.passes()).limit(2)).isEmpty();
    assertThat(ours.stream().filter(each -> WITHOUT_REPEATS.contains(theme) && each.repeats() > 0))
        .isEmpty();
    assertThat(ours.stream().filter(each -> BY_ONE.contains(theme) && each.twice() > 0)).isEmpty();
    if (Long.getLong("outbox.seed") == null) {
      assertThat(repeats(ours)).isLessThan(repeats(article));
    }
  }

  private static String sum(List<ClusterOutcome> outcomes) {
    int messages = outcomes.stream().mapToInt(ClusterOutcome::messages).sum();
    int most = outcomes.stream().mapToInt(ClusterOutcome::most).max().orElse(0);
    int taken = outcomes.stream().mapToInt(ClusterOutcome::takeovers).sum();
    int repeats = repeats(outcomes);
    return "%d plays, %d messages, %d taken over, %d repeats (%.2f %%), none more than %d times"
        .formatted(outcomes.size(), messages, taken, repeats, 100.0 * repeats / messages, most);
  }

  private static int repeats(List<ClusterOutcome> outcomes) {
    return outcomes.stream().mapToInt(ClusterOutcome::repeats).sum();
  }

  private static LongStream seeds(int count) {
    Long only = Long.getLong("outbox.seed");
    return only == null ? LongStream.range(0, count) : LongStream.of(only);
  }

  private static List<ClusterOutcome> play(
      int count, Theme theme, Function<InMemoryStore, OutboxStore> tampering) {
    return seeds(count)
        .parallel()
        .mapToObj(seed -> play(ClusterPlan.of(seed, theme), tampering))
        .toList();
  }

  private static ClusterOutcome play(
      ClusterPlan plan, Function<InMemoryStore, OutboxStore> tampering) {
    try {
      return new ClusterPlay(plan, tampering).run();
    } catch (Exception e) {
      throw new IllegalStateException(plan.toString(), e);
    }
  }

  @Test
  void while_relays_begin_again_no_two_clusters_think_that_they_are_to_take_over() {
    List<ClusterOutcome> outcomes =
        seeds(FEW)
            .parallel()
            .mapToObj(seed -> play(ClusterPlan.restarts(seed), any -> any))
            .toList();
    System.out.println("restarts | " + sum(outcomes));
    assertThat(outcomes).allMatch(ClusterOutcome::passes);
    assertThat(outcomes).extracting(ClusterOutcome::twice).containsOnly(0);
  }

  /** The one that was second had an answer of the first before that one took over. */
  @ParameterizedTest
  @ValueSource(longs = {242, 451})
  void who_is_back_and_who_waits_for_its_answer_do_not_take_over_the_same(long seed) {
    assertThat(play(ClusterPlan.of(seed, Theme.TWO_HAND_OVER), any -> any))
        .matches(ClusterOutcome::passes)
        .extracting(ClusterOutcome::repeats)
        .isEqualTo(0);
  }

  @Test
  void without_ranks_what_is_handed_over_is_taken_twice() {
    assertThat(repeats(play(FEW, Theme.HANDOVERS, TamperedClusters::withoutRanks))).isPositive();
  }

  @Test
  void without_the_wait_on_return_what_others_took_is_published_again() {
    assertThat(repeats(play(FEW, Theme.HANDOVERS, TamperedClusters::withoutWaiting))).isPositive();
  }

  @Test
  void without_hearsay_a_cut_link_makes_a_living_cluster_look_dead() {
    assertThat(repeats(play(FEW, Theme.ONE_LINK_CUT, TamperedClusters::withoutHearsay)))
        .isPositive();
  }

  @Test
  void without_notes_messages_that_came_after_their_takeover_stay_for_ever() {
    assertThat(play(FEW, Theme.HANDOVERS, TamperedClusters::withoutNotes))
        .anyMatch(each -> !each.passes());
  }
}
