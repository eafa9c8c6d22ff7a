package dev.outbox.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.store.Fate;
import dev.outbox.store.Outgoing;
import dev.outbox.store.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Parked messages of held topics are not read, however due they are. */
abstract class HeldTopicCases extends OneLaneCases {
  HeldTopicCases(OutboxStoreContract contract) {
    super(contract);
  }

  private void failAll(Outgoing... messages) throws Exception {
    settle(
        relay, lease, ready(messages).stream().map(stored -> fail(stored, Duration.ZERO)).toList());
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
    List<Stored> stored = ready(Sample.of("a", "k", "1"), Sample.of("a", "k", "2"));
    settle(relay, lease, fail(stored.get(0), Duration.ZERO), follow(stored.get(1)));
    assertThat(readDue(Set.of("a"))).isEmpty();
    assertThat(texts(readDue(Set.of("b")))).containsExactly("1", "2");
  }

  @Test
  void many_of_held_topics_hide_no_due_one() throws Exception {
    List<Outgoing> messages = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      messages.add(Sample.of("held", "k" + i, "held"));
    }
    messages.add(Sample.of("free", "k", "due"));
    failAll(messages.toArray(new Outgoing[0]));
    assertThat(texts(relay.readDue(cursors(10, LANE), MANY_BYTES, Set.of("held"))))
        .containsExactly("due");
  }

  @Test
  void many_topics_can_be_held() throws Exception {
    Set<String> topics =
        IntStream.range(0, 500).mapToObj(i -> "topic " + i).collect(Collectors.toSet());
    failAll(topics.stream().map(topic -> Sample.of(topic, "k", topic)).toArray(Outgoing[]::new));
    assertThat(readDue(topics)).isEmpty();
    assertThat(looksDue(topics)).isFalse();
    Set<String> allButOne =
        topics.stream().filter(topic -> !topic.equals("topic 77")).collect(Collectors.toSet());
    assertThat(texts(readDue(allButOne))).containsExactly("topic 77");
    assertThat(looksDue(allButOne)).isTrue();
    settle(relay, lease, readDue(Set.of()).stream().map(StoreCases::hold).toList());
    assertThat(relay.release(List.of(LANE), topics, 1_000)).isZero();
    assertThat(relay.release(List.of(LANE), allButOne, 1_000)).isEqualTo(1);
  }

  /** Each is another topic; a database must not fold them into one. */
  private static final List<String> SIMILAR =
      List.of("topic", "Topic", "topic ", " topic", "t\u00F6pic", "to\u0308pic", "\uD83D\uDE80");

  @Test
  void topics_are_told_apart_exactly() throws Exception {
    failAll(SIMILAR.stream().map(topic -> Sample.of(topic, "k", topic)).toArray(Outgoing[]::new));
    List<Fate> fates = new ArrayList<>();
    for (String topic : SIMILAR) {
      assertThat(texts(readDue(Set.of(topic)))).hasSize(SIMILAR.size() - 1).doesNotContain(topic);
    }
    readDue(Set.of()).forEach(stored -> fates.add(hold(stored)));
    settle(relay, lease, fates);
    for (String topic : SIMILAR) {
      Set<String> others =
          SIMILAR.stream().filter(each -> !each.equals(topic)).collect(Collectors.toSet());
      assertThat(relay.release(List.of(LANE), others, 100)).isEqualTo(1);
      assertThat(texts(readDue(others))).containsExactly(topic);
    }
  }
}
