package dev.outbox.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.MessageId;
import dev.outbox.testkit.history.Violation.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
  private static final String FLIGHT = "flight 1 " + InFlightTracker.PIPELINED;

  private final History history = History.withClock(() -> 0);
  private final List<Subject> first = written("a", "a", "b", null);

  private List<Subject> written(String... keys) {
    List<Subject> subjects = new ArrayList<>();
    for (String key : keys) {
      Subject subject = new Subject(MessageId.next(), "orders", key, 7);
      history.of(NoteKind.ENQUEUED, "writer", subject, "");
      history.of(NoteKind.COMMITTED, "writer", subject, "");
      subjects.add(subject);
    }
    return subjects;
  }

  private void delivered(String relay, Subject... subjects) {
    for (Subject subject : subjects) {
      history.of(NoteKind.ABOARD, relay, subject, "flight " + subject.id());
      history.of(NoteKind.ARRIVED, relay, subject, "");
      history.of(NoteKind.ANSWERED, relay, subject, "delivered");
      history.of(NoteKind.SETTLED, relay, subject, Fates.DELIVERED);
    }
  }

  private void deliveredAll(String relay) {
    delivered(relay, first.toArray(new Subject[0]));
  }

  private List<Kind> kinds() {
    return history.judge(Leftovers.NOTHING).violations().stream().map(Violation::kind).toList();
  }

  @Test
  void each_once_and_in_order_passes() {
    deliveredAll("a");
    assertThat(history.judge(Leftovers.NOTHING).summary())
        .isEqualTo("PASS lost=0 phantom=0 reordered=0 unexplained=0 repeats=0 inflight=0");
  }

  @Test
  void a_committed_message_that_never_arrived_is_lost_unless_it_is_accounted_for() {
    delivered("a", first.get(0), first.get(1), first.get(2));
    assertThat(kinds()).containsExactly(Kind.LOST);
    assertThat(history.judge(new Leftovers(Set.of(first.get(3).id()), List.of())).passes())
        .isTrue();
  }

  @Test
  void a_message_of_a_rolled_back_transaction_that_arrives_is_a_phantom() {
    deliveredAll("a");
    Subject never = new Subject(MessageId.next(), "orders", "a", 7);
    history.of(NoteKind.ENQUEUED, "writer", never, "");
    history.of(NoteKind.ROLLED_BACK, "writer", never, "");
    history.of(NoteKind.ARRIVED, "a", never, "");
    assertThat(kinds()).containsExactly(Kind.PHANTOM);
  }

  @Test
  void a_later_one_of_a_key_that_arrives_first_is_out_of_order_but_not_one_of_another_key() {
    delivered("a", first.get(3), first.get(2), first.get(1), first.get(0));
    assertThat(kinds()).containsExactly(Kind.REORDERED);
  }

  private void arrives(NoteKind noteKind, String relay, Subject... subjects) {
    history.writeAll(noteKind, relay, List.of(subjects), null, "");
  }

  @Test
  void what_begins_to_arrive_and_never_does_is_lost_or_a_phantom() {
    delivered("a", first.get(0), first.get(1), first.get(2));
    arrives(NoteKind.ARRIVING, "a", first.get(3), new Subject(MessageId.next(), "t", "a", 7));
    assertThat(kinds()).containsExactlyInAnyOrder(Kind.LOST, Kind.PHANTOM);
  }

  @Test
  void what_begins_to_arrive_twice_is_a_repeat_once() {
    arrives(NoteKind.ARRIVING, "a", first.get(0));
    arrives(NoteKind.ARRIVING, "b", first.get(0));
    arrives(NoteKind.ARRIVED, "b", first.get(0));
    arrives(NoteKind.ARRIVED, "a", first.get(0));
    delivered("b", first.get(1), first.get(2), first.get(3));
    assertThat(kinds()).containsExactly(Kind.UNEXPLAINED);
    assertThat(history.judge(Leftovers.NOTHING).repeats()).isOne();
  }

  @Test
  void what_begins_to_arrive_before_an_earlier_one_of_its_key_has_is_out_of_order() {
    arrives(NoteKind.ARRIVING, "a", first.get(0), first.get(2));
    arrives(NoteKind.ARRIVING, "b", first.get(1));
    arrives(NoteKind.ARRIVED, "a", first.get(0), first.get(2));
    arrives(NoteKind.ARRIVED, "b", first.get(1));
    delivered("b", first.get(3));
    assertThat(kinds()).containsExactly(Kind.REORDERED);
  }

  @Test
  void a_repeat_is_explained_by_a_fault_of_the_relay_that_had_it_in_flight() {
    history.of(NoteKind.ABOARD, "a", first.get(0), FLIGHT);
    history.of(NoteKind.ARRIVED, "a", first.get(0), "");
    history.of(NoteKind.FAULT, "a", "killed");
    deliveredAll("b");
    Verdict verdict = history.judge(Leftovers.NOTHING);
    assertThat(verdict.passes()).as(verdict.toString()).isTrue();
    assertThat(verdict.repeats()).isOne();
    assertThat(verdict.inAir()).isOne();
  }

  @Test
  void a_lease_that_ran_out_explains_repeats_of_its_lane_alone_and_no_more_of_them_than_a_kill() {
    LeaseRight lapsed = new LeaseRight(1, 3, history.now());
    history.write(NoteKind.ABOARD, "a", first.get(0), lapsed, "flight 1");
    history.write(
        NoteKind.ABOARD, "a", first.get(2), new LeaseRight(2, 3, history.now()), "flight 2");
    history.write(
        NoteKind.ABOARD, "a", first.get(3), new LeaseRight(1, 2, history.now()), "flight 3");
    history.writeAll(NoteKind.ARRIVED, "a", List.of(first.get(0), first.get(2)), null, "");
    history.write(NoteKind.FAULT, "a", null, lapsed, "its lease ran out");
    assertThat(history.judge(Leftovers.NOTHING).inAir()).isOne();
    delivered("b", first.get(0));
    assertThat(kinds()).doesNotContain(Kind.UNEXPLAINED);
    delivered("b", first.get(2));
    assertThat(kinds()).contains(Kind.UNEXPLAINED);
    history.of(NoteKind.FAULT, "a", "killed");
    assertThat(history.judge(Leftovers.NOTHING).inAir()).isEqualTo(3);
  }

  @Test
  void one_fault_explains_one_repeat() {
    history.of(NoteKind.ABOARD, "a", first.get(0), FLIGHT);
    history.of(NoteKind.ARRIVED, "a", first.get(0), "");
    history.of(NoteKind.FAULT, "a", "killed");
    deliveredAll("b");
    delivered("c", first.get(0));
    assertThat(kinds()).containsExactly(Kind.UNEXPLAINED);
  }

  @Test
  void a_fault_after_the_settle_of_another_relay_or_a_nuisance_explains_nothing() {
    history.of(NoteKind.FAULT, "a", "killed before");
    deliveredAll("a");
    history.of(NoteKind.FAULT, "a", "killed after");
    history.of(NoteKind.FAULT, "b", "killed elsewhere");
    history.of(NoteKind.NUISANCE, "a", "the reply was lost");
    delivered("b", first.get(2));
    assertThat(kinds()).containsExactly(Kind.UNEXPLAINED);
  }

  @Test
  void a_fault_of_the_broker_explains_a_repeat_of_that_message_alone() {
    history.of(NoteKind.FAULT, "broker", first.get(2), "the confirm was lost");
    deliveredAll("a");
    delivered("a", first.get(2));
    assertThat(kinds()).isEmpty();
    delivered("a", first.get(1));
    assertThat(kinds()).containsExactly(Kind.UNEXPLAINED);
  }

  @Test
  void another_payload_is_noticed() {
    deliveredAll("a");
    Subject other = new Subject(first.get(3).id(), "orders", null, 8);
    history.of(NoteKind.FAULT, "broker", other, "twice");
    history.of(NoteKind.ARRIVED, "a", other, "");
    assertThat(kinds()).containsExactly(Kind.GARBLED);
  }

  @Test
  void a_message_that_arrives_with_another_key_is_garbled_but_one_written_without_may_have_any() {
    deliveredAll("a");
    Subject keyed = new Subject(MessageId.next(), "orders", "a", 7);
    Subject delayed = new Subject(MessageId.next(), "orders", "a", 7);
    for (Subject subject : List.of(keyed, delayed.unordered())) {
      history.of(NoteKind.ENQUEUED, "writer", subject, "");
      history.of(NoteKind.COMMITTED, "writer", subject, "");
    }
    delivered("a", delayed);
    assertThat(kinds()).containsExactly(Kind.LOST);
    delivered("a", keyed.unordered());
    assertThat(kinds()).containsExactly(Kind.GARBLED);
  }

  @Test
  void two_of_a_key_in_flight_of_one_relay_are_noticed_unless_they_are_pipelined() {
    history.of(NoteKind.ABOARD, "a", first.get(0), "flight 1");
    history.of(NoteKind.ABOARD, "a", first.get(2), "flight 1");
    history.of(NoteKind.ABOARD, "a", first.get(1), "flight 1");
    assertThat(kinds()).contains(Kind.CROWDED);
  }

  @Test
  void a_pipelined_flight_may_carry_several_of_a_key_but_two_flights_may_not() {
    history.of(NoteKind.ABOARD, "a", first.get(0), FLIGHT);
    history.of(NoteKind.ABOARD, "a", first.get(1), FLIGHT);
    assertThat(kinds()).doesNotContain(Kind.CROWDED);
    history.of(NoteKind.ABOARD, "a", written("b").get(0), FLIGHT);
    history.of(NoteKind.ABOARD, "a", first.get(2), "flight 2 " + InFlightTracker.PIPELINED);
    assertThat(kinds()).contains(Kind.CROWDED);
  }

  @Test
  void a_message_settled_as_delivered_before_it_arrived_is_noticed() {
    history.of(NoteKind.ABOARD, "a", first.get(0), FLIGHT);
    history.of(NoteKind.SETTLED, "a", first.get(0), Fates.DELIVERED);
    deliveredAll("a");
    assertThat(kinds()).containsExactly(Kind.UNCONFIRMED);
  }

  @Test
  void epochs_rise() {
    deliveredAll("a");
    leased("a", 3);
    leased("b", 4);
    assertThat(kinds()).isEmpty();
    leased("a", 4);
    assertThat(kinds()).containsExactly(Kind.EPOCH);
  }

  @Test
  void two_claims_of_one_epoch_are_wrong_in_whatever_order() {
    deliveredAll("a");
    long asked = history.now();
    history.write(NoteKind.LEASED, "a", null, new LeaseRight(1, 3, asked), "");
    history.write(NoteKind.LEASED, "b", null, new LeaseRight(1, 3, asked), "");
    assertThat(kinds()).containsExactly(Kind.EPOCH);
  }

  @Test
  void a_settle_that_was_asked_for_after_another_relay_took_the_lane_has_no_effect() {
    leased("a", 3);
    long before = history.now();
    leased("b", 4);
    deliveredAll("a");
    history.write(
        NoteKind.SETTLED,
        "a",
        first.get(0),
        new LeaseRight(1, 3, before),
        "parked after attempt 1");
    assertThat(kinds()).isEmpty();
    history.write(
        NoteKind.SETTLED, "a", first.get(0), new LeaseRight(1, 3, history.now()), Fates.DELIVERED);
    assertThat(kinds()).containsExactly(Kind.STALE);
  }

  private void leased(String relay, long epoch) {
    history.write(NoteKind.LEASED, relay, null, new LeaseRight(1, epoch, history.now()), "");
  }

  @Test
  void what_is_left_over_is_reported() {
    deliveredAll("a");
    Verdict verdict = history.judge(new Leftovers(Set.of(), List.of("lane 3 is leased by a")));
    assertThat(verdict.summary()).startsWith("FAIL").contains("left_over=1");
  }

  @Test
  void a_violation_is_reported_with_the_life_of_its_message_and_the_faults_of_its_carriers() {
    history.write(NoteKind.ABOARD, "a", first.get(0), new LeaseRight(1, 3, 0), FLIGHT);
    history.of(NoteKind.ABOARD, "a", first.get(2), FLIGHT);
    history.of(NoteKind.FAULT, "a", "killed");
    history.of(NoteKind.FAULT, "z", "killed too");
    history.write(NoteKind.FAULT, "a", null, new LeaseRight(1, 3, 0), "its lease ran out");
    history.write(NoteKind.FAULT, "a", null, new LeaseRight(2, 3, 0), "a lease elsewhere ran out");
    delivered("a", first.get(1), first.get(2), first.get(3));
    assertThat(history.judge(Leftovers.NOTHING).toString())
        .contains("LOST " + first.get(0))
        .contains("writer COMMITTED " + first.get(0))
        .contains("a FAULT: killed")
        .contains("its lease ran out")
        .doesNotContain("elsewhere")
        .doesNotContain("z FAULT")
        .doesNotContain("COMMITTED " + first.get(2));
  }

  private void goBack() {
    history.of(NoteKind.WENT_BACK, "store", "");
  }

  @Test
  void what_was_committed_since_the_store_was_remembered_is_gone_and_may_arrive_all_the_same() {
    deliveredAll("a");
    history.of(NoteKind.REMEMBERED, "store", "");
    List<Subject> gone = written("a", "a");
    goBack();
    delivered("a", gone.get(1));
    delivered("a", written("a").get(0));
    delivered("a", gone.get(0));
    assertThat(kinds()).isEmpty();
  }

  @Test
  void what_was_settled_since_the_store_was_remembered_may_come_once_more() {
    history.of(NoteKind.REMEMBERED, "store", "");
    deliveredAll("a");
    goBack();
    deliveredAll("a");
    assertThat(kinds()).isEmpty();
    delivered("a", first.get(3));
    assertThat(kinds()).containsExactly(Kind.UNEXPLAINED);
  }

  @Test
  void what_was_settled_before_the_store_was_remembered_may_not_come_again() {
    deliveredAll("a");
    history.of(NoteKind.REMEMBERED, "store", "");
    goBack();
    history.write(NoteKind.LEASED, "a", null, new LeaseRight(0, 1, 0), "");
    delivered("a", first.get(3));
    assertThat(kinds()).containsExactly(Kind.UNEXPLAINED);
  }

  @Test
  void what_is_committed_after_the_store_went_back_must_arrive_in_order() {
    deliveredAll("a");
    history.of(NoteKind.REMEMBERED, "store", "");
    written("a");
    goBack();
    List<Subject> fresh = written("a", "a", "b");
    delivered("a", fresh.get(1), fresh.get(0));
    assertThat(kinds()).containsExactlyInAnyOrder(Kind.REORDERED, Kind.LOST);
  }

  @Test
  void epochs_are_given_again_after_the_store_went_back_but_not_to_two() {
    deliveredAll("a");
    history.of(NoteKind.REMEMBERED, "store", "");
    history.write(NoteKind.LEASED, "a", null, new LeaseRight(0, 1, 0), "");
    goBack();
    long asked = history.now();
    history.write(NoteKind.LEASED, "b", null, new LeaseRight(0, 1, asked), "");
    assertThat(kinds()).isEmpty();
    LeaseRight undone = new LeaseRight(0, 1, history.now());
    history.write(NoteKind.SETTLED, "a", first.get(0), undone, Fates.DELIVERED);
    assertThat(kinds()).containsExactly(Kind.STALE);
  }

  @Test
  void journals_of_several_processes_are_read_as_one_history_without_half_written_lines(
      @TempDir Path folder) throws Exception {
    Subject odd = new Subject(MessageId.next(), "orders", "a\tb\nc", 7);
    try (Journal one = Journal.open(folder, "one");
        Journal two = Journal.open(folder, "two")) {
      one.of(NoteKind.ENQUEUED, "one", odd, "");
      two.writeAll(NoteKind.ABOARD, "two", List.of(odd), new LeaseRight(3, 4, 5), FLIGHT);
      one.of(NoteKind.COMMITTED, "one", odd, "");
      two.of(NoteKind.FAULT, "two", "line one\nline two");
      one.write(new Note(7, NoteKind.FAULT, "one", null, null, "long ago"));
    }
    Files.writeString(folder.resolve("two.journal"), "17\tARRI", StandardOpenOption.APPEND);
    Map<Path, Long> readUpTo = new HashMap<>();
    assertThat(Journal.readOn(folder, readUpTo)).hasSize(5);
    try (Journal again = Journal.open(folder, "two")) {
      again.of(NoteKind.CLOSED, "two", "");
    }
    assertThat(Journal.readOn(folder, readUpTo))
        .extracting(Note::noteKind)
        .containsExactly(NoteKind.CLOSED);
    List<Note> notes = Journal.read(folder).notes();
    assertThat(notes)
        .extracting(Note::noteKind)
        .containsExactly(
            NoteKind.FAULT,
            NoteKind.ENQUEUED,
            NoteKind.ABOARD,
            NoteKind.COMMITTED,
            NoteKind.FAULT,
            NoteKind.CLOSED);
    assertThat(notes.get(2).leaseRight()).isEqualTo(new LeaseRight(3, 4, 5));
    assertThat(notes.get(2).subject())
        .isEqualTo(new Subject(odd.id(), "orders", "a b c", odd.digest()));
    assertThat(notes.get(4).text()).isEqualTo("line one line two");
  }
}
