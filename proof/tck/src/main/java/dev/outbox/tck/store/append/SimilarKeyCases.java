package dev.outbox.tck.store.append;

import static dev.outbox.tck.fixture.Sample.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys and topics are compared exactly. */
public abstract class SimilarKeyCases extends StoreCases {
  protected SimilarKeyCases(Opener opener) {
    super(opener);
  }

  private static final List<String> SIMILAR =
      List.of(
          "key", "Key", "key ", " key", "k\u00E9y", "ke\u0301y", "key\t", "ke\u200By", "\uFF4Bey");

  private LaneStore relay;
  private Lease lease;

  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(1);
  }

  @BeforeEach
  void claimTheLane() throws Exception {
    relay = relay("a");
    lease = claimFirst(relay);
  }

  @Test
  void similar_keys_hold_one_by_one() throws Exception {
    List<NewEnvelope> messages = SIMILAR.stream().map(key -> keyed(key, key)).toList();
    assertHeldOneByOne(messages);
  }

  @Test
  void similar_topics_hold_one_by_one() throws Exception {
    List<NewEnvelope> messages =
        SIMILAR.stream()
            .map(topic -> Sample.ready(LANE, Sample.envelope(topic, "k", topic)))
            .toList();
    assertHeldOneByOne(messages);
  }

  /**
   * Every one is the head of its own key: all are due, and the leaving of one frees that one only.
   */
  private void assertHeldOneByOne(List<NewEnvelope> messages) throws Exception {
    commit(messages);
    List<StoredEnvelope> stored = readAll(relay);
    assertThat(texts(stored)).isEqualTo(SIMILAR);
    settle(relay, lease, stored.stream().map(each -> fail(each, LEASE)).toList());
    assertThat(readDue(relay)).isEmpty();
    passTime(LEASE.plusSeconds(1));
    List<StoredEnvelope> due = readDue(relay);
    assertThat(texts(due)).containsExactlyInAnyOrderElementsOf(SIMILAR);
    settle(relay, lease, fail(due.get(0), 2, LEASE));
    assertThat(texts(readDue(relay))).hasSize(SIMILAR.size() - 1).doesNotContain(texts(due).get(0));
    for (StoredEnvelope each : due) {
      assertThat(settled(settle(relay, lease, deliver(each))).freed())
          .containsExactly(Objects.requireNonNull(each.holdable()));
    }
  }

  @Test
  void one_key_in_two_topics_is_held_twice() throws Exception {
    commit(
        Sample.ready(LANE, Sample.envelope("a", "k", "a1")),
        Sample.ready(LANE, Sample.envelope("b", "k", "b1")));
    List<StoredEnvelope> stored = readAll(relay);
    settle(relay, lease, fail(stored.get(0), LEASE), fail(stored.get(1), Duration.ZERO));
    assertThat(texts(readDue(relay))).containsExactly("b1");
    release(relay, lease);
    Set<HeldKey> held = relay("b").claim(1).get(0).held();
    assertThat(held).extracting(HeldKey::topic).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void similar_keys_are_distinguished_by_the_claim() throws Exception {
    commit(SIMILAR.stream().map(key -> keyed(key, key)).toList());
    settle(relay, lease, readAll(relay).stream().map(each -> fail(each, LEASE)).toList());
    release(relay, lease);
    Set<HeldKey> held = relay("b").claim(1).get(0).held();
    assertThat(held)
        .extracting(each -> each.key().value())
        .containsExactlyInAnyOrderElementsOf(SIMILAR);
  }
}
