package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Topics.Setting;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RelayListener;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** How much of topics with a cap a worker claims. */
class CappedClaimsTest {
  private static final Setting ONE = Setting.NONE.withInFlight(1);
  private static final Setting TEN = Setting.NONE.withInFlight(10);

  private final Rows rows = new Rows();
  private final RowWorker turns =
      new RowWorker(
          ScriptedStore.ofRows(() -> rows),
          Publisher.blocking(each -> {}),
          Samples.settings(RelayListener.SILENT),
          Samples.surroundings(Ticker.of(() -> Samples.START)));

  @Test
  void no_topic_is_bounded_by_the_room_of_another() {
    rows.settings = Map.of("small", ONE, "large", TEN);
    rows.put(rows.ready, 40, "small", "large", "free");

    turns.step();

    assertThat(rows.asked)
        .containsExactly(
            "due 1 without []",
            "ready 1 without []",
            "ready 10 without [small]",
            "ready 32 without [large, small]");
    assertThat(rows.delivered("large")).isBetween(5L, 10L);
    assertThat(rows.delivered("free")).isGreaterThan(32);
  }

  @Test
  void nor_is_one_that_is_due() {
    rows.settings = Map.of("small", ONE, "large", TEN);
    rows.put(rows.due, 40, "small", "large", "free");

    turns.step();

    assertThat(rows.asked)
        .containsExactly(
            "due 1 without []",
            "due 10 without [small]",
            "due 32 without [large, small]",
            "ready 1 without []");
  }

  @Test
  void topics_with_the_same_room_are_claimed_together_and_none_is_asked_for_twice_in_vain() {
    rows.settings = Map.of("one", TEN, "other", TEN);
    rows.put(rows.ready, 3, "one", "other");

    turns.step();

    assertThat(rows.asked).containsExactly("due 10 without []", "ready 10 without []");
    assertThat(rows.settled).hasSize(6);
  }

  @Test
  void without_caps_there_is_one_claim() {
    rows.put(rows.ready, 100, "free");

    turns.step();

    assertThat(rows.asked).containsExactly("due 32 without []", "ready 32 without []");
  }

  /** Messages in two tables, claimed in their order. */
  private static final class Rows implements RowStore {
    private final List<StoredEnvelope> ready = new ArrayList<>();
    private final List<StoredEnvelope> due = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();
    private final List<Fate> settled = new ArrayList<>();
    private Map<String, Setting> settings = Map.of();
    private long ids;

    void put(List<StoredEnvelope> table, int rounds, String... topics) {
      for (int round = 0; round < rounds; round++) {
        for (String topic : topics) {
          table.add(StoredEnvelope.ready(++ids, Samples.LANE, Samples.envelope(topic, null)));
        }
      }
    }

    long delivered(String topic) {
      return settled.stream()
          .filter(fate -> fate.storedEnvelope().envelope().topic().equals(topic))
          .count();
    }

    @Override
    public RowClaim claim(int atMost, Set<String> heldTopics) {
      return claim("ready", ready, atMost, heldTopics);
    }

    @Override
    public RowClaim claimDue(int atMost, Set<String> heldTopics) {
      return claim("due", due, atMost, heldTopics);
    }

    private RowClaim claim(
        String what, List<StoredEnvelope> table, int atMost, Set<String> heldTopics) {
      asked.add("%s %d without %s".formatted(what, atMost, new TreeSet<>(heldTopics)));
      List<StoredEnvelope> claimed =
          table.stream()
              .filter(each -> !heldTopics.contains(each.envelope().topic()))
              .limit(atMost)
              .toList();
      table.removeAll(claimed);
      return new Claim(claimed, settled);
    }

    @Override
    public int release(Set<String> heldTopics, int atMost) {
      return 0;
    }

    @Override
    public Map<String, Setting> topics() {
      return settings;
    }

    @Override
    public RelayRegistry registry() {
      return new ScriptedLanes(0);
    }

    @Override
    public void abort() {}

    @Override
    public int promoteDue(int atMost) {
      return 0;
    }

    @Override
    public void close() {}
  }

  private record Claim(List<StoredEnvelope> messages, List<Fate> settled) implements RowClaim {
    @Override
    public Connection transaction() {
      return null;
    }

    @Override
    public void settle(List<Fate> fates) {
      settled.addAll(fates);
    }

    @Override
    public void close() {}
  }
}
