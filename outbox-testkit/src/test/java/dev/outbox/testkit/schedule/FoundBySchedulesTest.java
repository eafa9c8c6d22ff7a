package dev.outbox.testkit.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Topics.Setting;
import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.Step;
import dev.outbox.testkit.internal.schedule.BrokerDecision.Caprice;
import dev.outbox.testkit.internal.schedule.BrokerReaction;
import dev.outbox.testkit.internal.schedule.Decision;
import dev.outbox.testkit.internal.schedule.Decision.Commit;
import dev.outbox.testkit.internal.schedule.Decision.Pass;
import dev.outbox.testkit.internal.schedule.Decision.Replay;
import dev.outbox.testkit.internal.schedule.Decision.Topic;
import dev.outbox.testkit.internal.schedule.Decision.Write;
import dev.outbox.testkit.internal.schedule.MessageTrait;
import dev.outbox.testkit.internal.schedule.Plan;
import dev.outbox.testkit.internal.schedule.RelayDecision.Ambush;
import dev.outbox.testkit.internal.schedule.RelayDecision.Close;
import dev.outbox.testkit.internal.schedule.RelayDecision.Drain;
import dev.outbox.testkit.internal.schedule.RelayDecision.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shrunk stories of what schedules once found in the engine, or in themselves. */
class FoundBySchedulesTest {
  @Test
  void a_probe_does_not_overtake_what_an_outage_left_below_where_reads_begin() {
    assertPasses(
        93,
        2,
        drain(1),
        drain(2),
        write(1, 2, "orders", "a", MessageTrait.PLAIN),
        new Caprice(BrokerReaction.DOWN),
        new Commit(1),
        drain(1),
        drain(1),
        drain(2),
        new Pass(Duration.ofSeconds(4)),
        new Topic("orders", Setting.NONE.withPerSecond(2)),
        drain(2),
        write(2, 9, "orders", "a", MessageTrait.PLAIN),
        new Commit(2),
        new Topic("orders", Setting.NONE.withStrict(true)),
        drain(2));
  }

  @Test
  void a_sick_message_is_not_the_only_one_that_is_tried_while_its_broker_seems_down() {
    assertPasses(
        73,
        1,
        write(3, 6, "bills", "a", MessageTrait.SICK),
        write(3, 7, "bills", "c", MessageTrait.PLAIN),
        new Caprice(BrokerReaction.DOWN),
        new Commit(3),
        drain(0));
  }

  @Test
  void a_sick_message_makes_room_for_other_probes_also_with_others_of_its_key_behind_it() {
    assertPasses(
        1108,
        1,
        write(2, 3, "orders", "b", MessageTrait.SICK),
        new Commit(2),
        new Caprice(BrokerReaction.FAIL_CONFIRM),
        write(1, 4, "bills", "b", MessageTrait.PLAIN),
        write(1, 5, "orders", "a", MessageTrait.PLAIN),
        new Caprice(BrokerReaction.DOWN),
        write(1, 10, "orders", "b", MessageTrait.PLAIN),
        new Commit(1),
        drain(0));
  }

  @Test
  void what_has_killed_its_relays_is_buried_before_another_may_kill_one() {
    assertPasses(
        3709,
        1,
        write(3, 1, "orders", null, MessageTrait.DEADLY),
        write(3, 2, "orders", "a", MessageTrait.DEADLY));
  }

  @Test
  void what_kills_its_relays_from_among_parked_messages_is_buried_too() {
    Plan plan =
        new Plan(
            1,
            500,
            1,
            List.of(
                write(3, 1, "orders", "a", MessageTrait.SICK),
                write(3, 2, "orders", "a", MessageTrait.PLAIN),
                write(3, 3, "orders", "a", MessageTrait.PLAIN),
                write(3, 4, "orders", "a", MessageTrait.PLAIN),
                write(3, 8, "orders", "a", MessageTrait.PLAIN),
                write(3, 9, "orders", "a", MessageTrait.DEADLY)));
    assertPasses(4779, plan);
  }

  @Test
  void a_relay_that_did_not_hear_of_its_lane_releases_it_when_it_closes() {
    assertPasses(
        1331525462817L,
        1,
        new Ambush(1, CrashPoint.CLAIM, Step.Side.AFTER, Ambush.Deed.FAIL),
        drain(1));
  }

  @Test
  void a_relay_that_closes_hands_nothing_on_while_it_is_answered() {
    Plan plan =
        new Plan(
            1,
            500,
            7,
            List.of(
                write(3, 1, "orders", "a", MessageTrait.PLAIN),
                new Commit(3),
                write(2, 2, "orders", "a", MessageTrait.PLAIN),
                drain(2),
                new Commit(2),
                new Ambush(2, CrashPoint.ANSWER, Step.Side.AFTER, Ambush.Deed.PAUSE),
                new Close(2, true),
                drain(2)));
    assertPasses(194408827543314L, plan);
  }

  @Test
  void nothing_overtakes_what_a_writer_commits_while_every_broker_is_down() {
    assertPasses(
        6058,
        1,
        new Caprice(BrokerReaction.LOSE_CONFIRM),
        write(1, 3, "bills", "a", MessageTrait.PLAIN),
        write(3, 6, "orders", "b", MessageTrait.PLAIN),
        new Commit(3),
        drain(0),
        write(1, 11, "bills", "a", MessageTrait.PLAIN));
  }

  private static Drain drain(int relay) {
    return new Drain(relay);
  }

  private static Write write(
      int writer, int number, String topic, @Nullable String key, MessageTrait messageTrait) {
    return new Write(writer, number, topic, key, messageTrait);
  }

  /** Of the harness: a relay that had given up its flights went on working. */
  @ParameterizedTest
  @FieldSource("dev.outbox.testkit.schedule.ScheduleTest#BOTH_WAYS")
  void a_relay_whose_close_failed_does_nothing_but_close(Settings settings) {
    Schedules.run(LongStream.of(78941861697550L), settings).assertPassed();
  }

  /** Of the harness: it gave up at once what the store had refused, as no relay does. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 6})
  void a_close_has_patience_with_rows_that_are_locked(int times) {
    assertPasses(178696, 1, closeBesideLockedRows(times, true));
  }

  @Test
  void a_close_without_patience_tries_once_more_to_write_beside_locked_rows() {
    assertPasses(70409, 1, closeBesideLockedRows(2, false));
  }

  /** Of the harness: nobody can write what is locked to the end. */
  @Test
  void what_a_close_without_patience_finds_locked_to_the_end_may_come_again() {
    assertPasses(70409, 1, closeBesideLockedRows(5, false));
  }

  private static Decision[] closeBesideLockedRows(int times, boolean patiently) {
    List<Decision> decisions = new ArrayList<>();
    decisions.add(write(2, 10, "orders", "a", MessageTrait.PLAIN));
    decisions.add(new Commit(2));
    decisions.add(new Turn(2));
    for (int time = 0; time < times; time++) {
      decisions.add(new Ambush(2, CrashPoint.SETTLE, Step.Side.BEFORE, Ambush.Deed.CONTEND));
    }
    decisions.add(new Close(2, patiently));
    return decisions.toArray(Decision[]::new);
  }

  /** Of the harness: it waited for the burial to be written again, as no fenced relay does. */
  @Test
  void what_a_fenced_relay_buries_again_after_a_replay_is_dead() {
    assertPasses(
        433287,
        1,
        new Ambush(1, CrashPoint.PROMOTE, Step.Side.AFTER, Ambush.Deed.DROP),
        write(2, 2, "orders", "b", MessageTrait.DOOMED),
        new Commit(2),
        new Ambush(0, CrashPoint.MOVE, Step.Side.AFTER, Ambush.Deed.FAIL),
        drain(0),
        new Pass(Duration.ofSeconds(16)),
        drain(1),
        new Replay());
  }

  /** Of the harness: it took the burial for one of the relay that failed next. */
  @Test
  void what_was_buried_just_before_the_doubtful_burial_of_another_is_dead() {
    assertPasses(
        326797,
        8,
        drain(2),
        drain(0),
        drain(2),
        drain(2),
        new Ambush(1, CrashPoint.MOVE, Step.Side.AFTER, Ambush.Deed.CONTEND),
        write(1, 4, "orders", null, MessageTrait.DOOMED),
        write(1, 7, "orders", null, MessageTrait.DOOMED),
        new Commit(1),
        new Turn(1),
        drain(2),
        drain(1),
        new Replay());
  }

  /** Of the harness: a burial that is written again undoes a replay on a strict topic. */
  @Test
  void what_is_buried_again_on_a_strict_topic_is_dead() {
    assertPasses(
        75256,
        1,
        write(2, 3, "orders", "c", MessageTrait.PLAIN),
        new Caprice(BrokerReaction.FAIL_CONFIRM),
        new Commit(2),
        write(1, 8, "orders", "c", MessageTrait.EXPIRING),
        new Commit(1),
        drain(2),
        new Topic("orders", Setting.NONE.withStrict(true)),
        new Ambush(1, CrashPoint.MOVE, Step.Side.AFTER, Ambush.Deed.CONTEND),
        new Pass(Duration.ofSeconds(30)),
        drain(1),
        new Replay());
  }

  /** Whole, as a million found them: the shrunk ones are above. */
  @ParameterizedTest
  @ValueSource(longs = {70409, 153898, 163325, 178696, 75256, 294378, 326797, 415441, 433287})
  void what_a_million_schedules_found(long seed) {
    Schedules.run(LongStream.of(seed), Settings.lanes()).assertPassed();
  }

  /** A close that gave up forgot nothing when it heard that its session was cut. */
  @Test
  void what_a_million_schedules_of_stores_that_go_back_found() {
    Schedules.run(LongStream.of(30065156), Settings.lanes().goingBack()).assertPassed();
  }

  /** A message that met an outage made room for four sick ones, each of them due in its turn. */
  @Test
  void what_a_million_schedules_of_rows_in_stores_that_go_back_found() {
    Schedules.run(LongStream.of(96094), Settings.rows().goingBack()).assertPassed();
  }

  private static void assertPasses(long seed, int lanes, Decision... decisions) {
    assertPasses(seed, new Plan(lanes, 500, 0, List.of(decisions)));
  }

  private static void assertPasses(long seed, Plan plan) {
    ScheduleOutcome scheduleOutcome = Schedule.of(seed).run(plan);
    assertThat(scheduleOutcome.passes()).as(scheduleOutcome::story).isTrue();
  }
}
