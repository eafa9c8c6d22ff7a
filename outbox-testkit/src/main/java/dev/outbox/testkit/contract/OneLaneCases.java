package dev.outbox.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Key;
import dev.outbox.store.HeldKey;
import dev.outbox.store.LaneClaim;
import dev.outbox.store.LaneStore;
import dev.outbox.store.Lease;
import dev.outbox.store.Outgoing;
import dev.outbox.store.Stored;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;

/** What themes share that need one lane and the relay that leases it. */
abstract class OneLaneCases extends StoreCases {
  LaneStore relay;
  Lease lease;

  @SuppressWarnings("NullAway.Init")
  OneLaneCases(OutboxStoreContract contract) {
    super(contract);
  }

  @Override
  StoreSetting setting() {
    return StoreSetting.lanes(1);
  }

  @BeforeEach
  void claimTheLane() throws Exception {
    relay = relay("a");
    lease = claimFirst(relay);
  }

  /** All ready messages once these are committed. */
  List<Stored> ready(Outgoing... messages) throws Exception {
    commit(messages);
    return readAll(relay);
  }

  List<Stored> readDue(Set<String> heldTopics) {
    return relay.readDue(cursors(1000, LANE), MANY_BYTES, heldTopics);
  }

  /** Whether a look finds something due. */
  boolean looksDue(Set<String> heldTopics) {
    return !relay.look(cursors(1000, LANE), heldTopics).due().isEmpty();
  }

  /** The claim of a relay that takes the lane over when the lease has run out. */
  LaneClaim takeOver(LaneStore other) throws Exception {
    passTime(LEASE.plusSeconds(1));
    List<LaneClaim> claims = other.claim(1);
    assertThat(claims).hasSize(1);
    return claims.get(0);
  }

  static HeldKey held(String key) {
    return new HeldKey(LANE, Sample.TOPIC, new Key(key));
  }
}
