package dev.outbox.tck.store.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.OneLaneCases;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Parked messages of held topics are not read, however due they are. */
public abstract class HeldTopicCases extends OneLaneCases {
  protected HeldTopicCases(Opener opener) {
    super(opener);
  }

  private void failAll(NewEnvelope... messages) throws Exception {
    settle(
        relay,
        lease,
        ready(messages).stream()
            .map(storedEnvelope -> fail(storedEnvelope, Duration.ZERO))
            .toList());
  }

  @Test
  void due_messages_of_held_topics_are_left_out() throws Exception {
    failAll(
        Sample.of("a", "k", "1"),
        Sample.of("b", "k", "2"),
        Sample.of("a", null, "3"),
        Sample.of("b", null, "4"));
    assertThat(texts(readDue(Set.of("a")))).containsExactlyInAnyOrder("2", "4");
    assertThat(texts(readDue(Set.of("b", "unknown")))).containsExactlyInAnyOrder("1", "3");
    assertThat(readDue(Set.of("a", "b"))).isEmpty();
    assertThat(readDue(Set.of())).hasSize(4);
  }

  @Test
  void the_followers_of_a_held_topic_are_left_out_with_their_head() throws Exception {
    List<StoredEnvelope> stored = ready(Sample.of("a", "k", "1"), Sample.of("a", "k", "2"));
    settle(relay, lease, fail(stored.get(0), Duration.ZERO), follow(stored.get(1)));
    assertThat(readDue(Set.of("a"))).isEmpty();
    assertThat(texts(readDue(Set.of("b")))).containsExactly("1", "2");
  }

  @Test
  void many_of_held_topics_hide_no_due_one() throws Exception {
    List<NewEnvelope> messages = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      messages.add(Sample.of("held", "k" + i, "held"));
    }
    messages.add(Sample.of("free", "k", "due"));
    failAll(messages.toArray(new NewEnvelope[0]));
    assertThat(texts(relay.readDue(cursors(10, LANE), MANY_BYTES, Set.of("held"))))
        .containsExactly("due");
  }

  @Test
  void many_topics_can_be_held() throws Exception {
    Set<String> topics =
        IntStream.range(0, 500).mapToObj(i -> "topic " + i).collect(Collectors.toSet());
    failAll(topics.stream().map(topic -> Sample.of(topic, "k", topic)).toArray(NewEnvelope[]::new));
    assertThat(readDue(topics)).isEmpty();
    assertThat(looksDue(topics)).isFalse();
    Set<String> allButOne =
        topics.stream().filter(topic -> !topic.equals("topic 77")).collect(Collectors.toSet());
    assertThat(texts(readDue(allButOne))).containsExactly("topic 77");
    assertThat(looksDue(allButOne)).isTrue();
    settle(relay, lease, readDue(Set.of()).stream().map(StoreCases::hold).toList());
    assertThat(relay.release(List.of(lease), topics, 1_000)).isZero();
    assertThat(relay.release(List.of(lease), allButOne, 1_000)).isEqualTo(1);
  }

  private List<StoredEnvelope> past(long after, int limit, long reach, String... topics) {
    LaneStore.Cursor cursor = new LaneStore.Cursor(LANE, after, limit);
    return relay.readPast(List.of(cursor), MANY_BYTES, Set.of(topics), reach);
  }

  @Test
  void ready_messages_behind_many_of_held_topics_are_read_in_order_up_to_the_limit()
      throws Exception {
    List<NewEnvelope> messages = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      messages.add(Sample.of(i % 100 == 99 ? "free" : "held", "k", "" + i));
      messages.add(Sample.of("also held", null, "" + i));
    }
    commit(messages);
    long all = 1_000_000;
    assertThat(texts(past(0, 10, all, "held", "also held"))).containsExactly("99", "199", "299");
    assertThat(texts(past(0, 2, all, "held", "also held"))).containsExactly("99", "199");
    assertThat(past(0, 1000, all)).hasSize(600);
    assertThat(past(0, 1000, all, "free", "held", "also held")).isEmpty();
    long first = past(0, 1, all, "held", "also held").get(0).id();
    assertThat(texts(past(first, 10, all, "held", "also held"))).containsExactly("199", "299");
  }

  @Test
  void a_read_past_held_topics_looks_no_further_than_its_reach() throws Exception {
    commit(Sample.of("held", "k", "1"), Sample.of("free", "k", "2"), Sample.of("free", "k", "3"));
    List<StoredEnvelope> all = read(relay, LANE);
    long first = all.get(0).id();
    long second = all.get(1).id();
    assertThat(past(first, 10, second - first - 1, "held")).isEmpty();
    assertThat(texts(past(first, 10, second - first, "held"))).containsExactly("2");
    assertThat(texts(past(0, 10, second, "held"))).containsExactly("2");
  }

  @Test
  void every_lane_has_its_own_cursor_in_a_read_past_held_topics() throws Exception {
    try (StoreEnvironment wide = opener.open(StoreSetting.lanes(2));
        LaneStore reader = wide.store().lanes("a", LEASE)) {
      try (Connection connection = wide.applications().getConnection()) {
        connection.setAutoCommit(false);
        for (Lane lane : List.of(LANE, OTHER)) {
          for (String topic : List.of("free", "held", "free")) {
            wide.store()
                .append(
                    connection,
                    List.of(Sample.ready(lane, Sample.envelope(topic, "k", topic + lane))));
          }
        }
        connection.commit();
      }
      long last = read(reader, OTHER).get(2).id();
      List<LaneStore.Cursor> cursors =
          List.of(new LaneStore.Cursor(LANE, 0, 10), new LaneStore.Cursor(OTHER, last - 1, 10));
      assertThat(texts(reader.readPast(cursors, MANY_BYTES, Set.of("held"), 1_000_000)))
          .containsExactlyInAnyOrder("free0", "free0", "free1");
    }
  }

  @Test
  void a_read_past_held_topics_is_bounded_in_bytes() throws Exception {
    commit(
        Sample.of("held", "k", "held"), Sample.of("free", "k", "1"), Sample.of("free", "k", "2"));
    List<LaneStore.Cursor> cursors = cursors(10, LANE);
    assertThat(texts(relay.readPast(cursors, 0, Set.of("held"), 1_000_000))).containsExactly("1");
  }

  /** Each is another topic; a database must not fold them into one. */
  private static final List<String> SIMILAR =
      List.of("topic", "Topic", "topic ", " topic", "t\u00F6pic", "to\u0308pic", "\uD83D\uDE80");

  @Test
  void topics_are_distinguished_exactly() throws Exception {
    failAll(
        SIMILAR.stream().map(topic -> Sample.of(topic, "k", topic)).toArray(NewEnvelope[]::new));
    commit(SIMILAR.stream().map(topic -> Sample.of(topic, "k", topic)).toList());
    for (String topic : SIMILAR) {
      assertThat(texts(past(0, 10, 1_000_000, topic)))
          .hasSize(SIMILAR.size() - 1)
          .doesNotContain(topic);
    }
    List<Fate> fates = new ArrayList<>();
    for (String topic : SIMILAR) {
      assertThat(texts(readDue(Set.of(topic)))).hasSize(SIMILAR.size() - 1).doesNotContain(topic);
    }
    readDue(Set.of()).forEach(storedEnvelope -> fates.add(hold(storedEnvelope)));
    settle(relay, lease, fates);
    for (String topic : SIMILAR) {
      Set<String> others =
          SIMILAR.stream().filter(each -> !each.equals(topic)).collect(Collectors.toSet());
      assertThat(relay.release(List.of(lease), others, 100)).isEqualTo(1);
      assertThat(texts(readDue(others))).containsExactly(topic);
    }
  }
}
