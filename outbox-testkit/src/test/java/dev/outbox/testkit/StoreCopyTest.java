package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.Outbox;
import dev.outbox.StoreException;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.LaneStore.Cursor;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A store that goes back to a copy of itself, and gives ids again. */
final class StoreCopyTest {
  private final InMemoryStore store = InMemoryStore.builder().lanes(1).archive().build();
  private final LaneStore relay = store.lanes("a", Duration.ofMinutes(1));

  private MessageId write(String text) throws SQLException {
    try (Connection connection = store.begin()) {
      MessageId id = Outbox.create(store).enqueue(connection, Message.to("t").key("k").text(text));
      connection.commit();
      return id;
    }
  }

  private List<StoredEnvelope> read(Lease lease) {
    return relay.read(List.of(new Cursor(lease.lane(), 0, 9)), Long.MAX_VALUE);
  }

  private SettleResult settle(Lease lease, Fate fate) {
    Settlement settlement = new Settlement(lease, 0, List.of(fate), Settlement.After.RUN_ON);
    return relay.settle(List.of(settlement)).values().iterator().next();
  }

  private void goBack(StoreCopy copy) {
    copy.restore();
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> relay.look(List.of(), Set.of()));
  }

  private static Fate park(StoredEnvelope storedEnvelope) {
    return new Fate.Park(storedEnvelope, HoldReason.FAILED, 1, Duration.ofHours(1), "no", "");
  }

  @Test
  void what_was_written_since_is_gone_and_its_id_is_given_again() throws Exception {
    Lease lease = relay.claim(1, Set.of()).get(0).lease();
    StoreCopy copy = store.copy();
    write("gone");
    long id = read(lease).get(0).id();
    goBack(copy);
    assertThat(read(lease)).isEmpty();
    MessageId other = write("other");
    assertThat(read(lease))
        .singleElement()
        .satisfies(
            storedEnvelope -> {
              assertThat(storedEnvelope.id()).isEqualTo(id);
              assertThat(storedEnvelope.envelope().id()).isEqualTo(other);
            });
  }

  @Test
  void what_was_settled_since_is_there_again_with_the_lease() throws Exception {
    Lease lease = relay.claim(1, Set.of()).get(0).lease();
    write("settled");
    StoreCopy copy = store.copy();
    settle(lease, new Fate.Deliver(read(lease).get(0)));
    assertThat(store.archivedCount()).isOne();
    goBack(copy);
    assertThat(read(lease)).hasSize(1);
    assertThat(store.archivedCount()).isZero();
    assertThat(settle(lease, new Fate.Deliver(read(lease).get(0))))
        .isEqualTo(new SettleResult.Settled(Set.of(), 0));
  }

  @Test
  void an_open_transaction_is_lost() throws Exception {
    StoreCopy copy = store.copy();
    try (Connection connection = store.begin()) {
      Outbox.create(store).enqueue(connection, Message.to("t").text("open"));
      copy.restore();
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(connection::commit)
          .withMessageContaining("lost");
      assertThat(connection.isValid(1)).isFalse();
    }
    assertThat(store.readyCount()).isZero();
  }

  @Test
  void another_message_with_the_id_of_a_settled_one_stays() throws Exception {
    Lease lease = relay.claim(1, Set.of()).get(0).lease();
    StoreCopy copy = store.copy();
    write("gone");
    StoredEnvelope gone = read(lease).get(0);
    goBack(copy);
    write("other");
    for (Fate fate : List.of(new Fate.Deliver(gone), park(gone))) {
      assertThat(((SettleResult.Settled) settle(lease, fate)).missing()).isEqualTo(1);
      assertThat(store.readyCount()).isOne();
      assertThat(store.parkedCount()).isZero();
    }
  }

  @Test
  void a_message_whose_id_another_parked_one_has_is_parked_under_another() throws Exception {
    Lease lease = relay.claim(1, Set.of()).get(0).lease();
    StoreCopy copy = store.copy();
    write("parked");
    settle(lease, park(read(lease).get(0)));
    Runnable parked = store.inMemoryTables().parked.copy();
    goBack(copy);
    parked.run();
    write("other");
    assertThat(settle(lease, park(read(lease).get(0))))
        .isEqualTo(new SettleResult.Settled(Set.of(), 0, 1));
    assertThat(store.readyCount()).isZero();
    assertThat(store.parkedCount()).isEqualTo(2);
  }
}
