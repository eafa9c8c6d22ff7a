package dev.outbox.tck.store.append;

import static dev.outbox.tck.fixture.Sample.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.spi.DeadStore;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Suspect;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.OneLaneCases;
import dev.outbox.tck.fixture.Opener;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * After a failover or a restore a row may be another message than the one that was read by its id.
 * What becomes of the one that was read must not happen to the other.
 */
public abstract class IdGivenAgainCases extends OneLaneCases {
  protected IdGivenAgainCases(Opener opener) {
    super(opener);
  }

  /** The message that a relay has read before the id of {@code stored} was given again. */
  private static StoredEnvelope before(StoredEnvelope storedEnvelope) {
    Envelope now = storedEnvelope.envelope();
    Envelope read =
        new Envelope(
            MessageId.next(),
            now.topic(),
            now.key(),
            now.headers(),
            now.payload(),
            now.notAfter(),
            now.reference(),
            now.origin());
    return new StoredEnvelope(
        storedEnvelope.id(),
        storedEnvelope.lane(),
        read,
        storedEnvelope.retryState(),
        storedEnvelope.defect());
  }

  private static Fate fate(String kind, StoredEnvelope storedEnvelope) {
    return switch (kind) {
      case "deliver" -> deliver(storedEnvelope);
      case "fail" -> fail(storedEnvelope, 3, Duration.ZERO);
      case "hold" -> hold(storedEnvelope);
      case "follow" -> follow(storedEnvelope);
      default -> bury(storedEnvelope);
    };
  }

  private SettleResult.Settled settles(Fate... fates) {
    return settled(settle(relay, lease, fates));
  }

  @ParameterizedTest
  @ValueSource(strings = {"deliver", "fail", "hold", "follow", "bury"})
  void a_ready_message_is_left_as_it_is(String kind) throws Exception {
    List<StoredEnvelope> ready = ready(keyed("k", "1"), keyed("k", "2"), keyed("l", "3"));
    SettleResult.Settled settled = settles(fate(kind, before(ready.get(0))), deliver(ready.get(2)));
    assertThat(settled.missing()).isEqualTo(1);
    assertThat(settled.taken()).isZero();
    assertThat(texts(readAll(relay))).containsExactly("1", "2");
    assertThat(readDue(relay)).isEmpty();
    assertThat(store().deadLetters().page(Filter.all(), 0, 10)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"deliver", "fail", "bury"})
  void a_parked_message_is_left_as_it_is(String kind) throws Exception {
    settles(fail(ready(keyed("k", "1")).get(0), 1, Duration.ZERO));
    StoredEnvelope parked = readDue(relay).get(0);
    SettleResult.Settled settled = settles(fate(kind, before(parked)));
    assertThat(settled.missing()).isEqualTo(1);
    assertThat(settled.freed()).isEmpty();
    StoredEnvelope left = readDue(relay).get(0);
    assertThat(left.envelope().id()).isEqualTo(parked.envelope().id());
    assertThat(requireParking(left).attempts()).isEqualTo(1);
    assertThat(store().deadLetters().page(Filter.all(), 0, 10)).isEmpty();
  }

  @Test
  void what_another_session_read_is_missing_when_it_is_gone() throws Exception {
    List<StoredEnvelope> ready = ready(keyed("k", "1"), keyed("l", "2"), keyed("m", "3"));
    settles(fail(ready.get(2), Duration.ZERO));
    StoredEnvelope due = readDue(relay).get(0);
    LaneStore again = relay("a");
    SettleResult.Settled settled =
        settled(
            settle(
                again,
                lease,
                deliver(before(ready.get(0))),
                bury(ready.get(1)),
                deliver(before(due))));
    assertThat(settled.missing()).isEqualTo(2);
    assertThat(settled(settle(again, lease, deliver(before(ready.get(0))))).missing()).isEqualTo(1);
    assertThat(texts(readAll(again))).containsExactly("1");
    assertThat(texts(readDue(again))).containsExactly("3");
  }

  @Test
  void the_key_of_a_message_that_was_not_parked_is_free() throws Exception {
    StoredEnvelope ready = ready(keyed("k", "1")).get(0);
    assertThat(settles(fail(before(ready), Duration.ZERO)).freed()).containsExactly(held("k"));
  }

  @Test
  void the_key_of_a_message_that_was_not_parked_stays_held_by_others() throws Exception {
    List<StoredEnvelope> ready = ready(keyed("k", "1"), keyed("k", "2"));
    settles(fail(ready.get(0), Duration.ofMinutes(1)));
    assertThat(settles(fail(before(ready.get(1)), Duration.ZERO)).freed()).isEmpty();
  }

  @Test
  void several_lanes_of_a_settle_do_not_mix_ids_and_messages() throws Exception {
    List<StoredEnvelope> ready = ready(keyed("a", "1"), keyed("b", "2"), keyed("c", "3"));
    StoredEnvelope first = ready.get(0);
    StoredEnvelope second = ready.get(1);
    StoredEnvelope crossed =
        new StoredEnvelope(second.id(), second.lane(), first.envelope(), null, null);
    assertThat(settles(deliver(crossed), deliver(ready.get(2))).missing()).isEqualTo(1);
    assertThat(texts(readAll(relay))).containsExactly("1", "2");
  }

  @Test
  void a_message_is_not_suspected_for_another() throws Exception {
    StoredEnvelope ready = ready(keyed("k", "1")).get(0);
    assertThat(relay.suspect(lease, before(ready))).isTrue();
    assertThat(takeOver(relay("b")).suspect()).isNull();
  }

  @Test
  void a_suspect_stays_when_another_message_is_gone() throws Exception {
    List<StoredEnvelope> ready = ready(keyed("k", "1"), keyed("l", "2"));
    relay.suspect(lease, ready.get(1));
    relay.suspect(lease, before(ready.get(0)));
    assertThat(takeOver(relay("b")).suspect()).isEqualTo(new Suspect(ready.get(1).id(), 1));
  }

  @Test
  void a_dead_letter_is_not_moved_for_another() throws Exception {
    StoredEnvelope ready = ready(keyed("k", "1")).get(0);
    settles(new Fate.Park(ready, HoldReason.FAILED, 1, Duration.ZERO, "e", "h"));
    settles(buryStrictly(readDue(relay).get(0)));
    DeadStore dead = store().deadLetters();
    DeadLetter letter = dead.page(Filter.all(), 0, 1).get(0);
    DeadLetter.Id before = new DeadLetter.Id(letter.number(), MessageId.next());
    assertThat(dead.replay(List.of(before))).isZero();
    assertThat(dead.discard(List.of(before))).isZero();
    assertThat(dead.ids(Filter.all(), 0, 10)).containsExactly(letter.id());
    assertThat(dead.replay(List.of(before, letter.id()))).isEqualTo(1);
    assertThat(texts(readDue(relay))).containsExactly("1");
  }
}
