package dev.outbox.tck.store.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.message.Key;
import dev.outbox.spi.DeadStore;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An operator asks for the dead letters that matter. */
public abstract class DeadFilterCases extends OneLaneCases {
  private static final Filter ALL = Filter.all();

  private DeadStore dead;

  @SuppressWarnings("NullAway.Init")
  protected DeadFilterCases(Opener opener) {
    super(opener);
  }

  @BeforeEach
  void openDeadLetters() {
    dead = store().deadLetters();
  }

  private void die(String topic, @Nullable String key, Reason reason) throws Exception {
    String text = topic + "/" + key + "/" + reason;
    List<Fate> fates = new ArrayList<>();
    for (StoredEnvelope storedEnvelope : ready(Sample.of(topic, key, text))) {
      fates.add(new Fate.Bury(storedEnvelope, reason, "why", 1, "history", false));
    }
    settled(settle(relay, lease, fates));
  }

  private List<String> found(Filter filter) {
    return texts(dead.page(filter, 0, 100));
  }

  private static List<String> texts(Iterable<DeadLetter> letters) {
    List<String> texts = new ArrayList<>();
    letters.forEach(letter -> texts.add(letter.envelope().payload().text()));
    return texts;
  }

  private void everyKind() throws Exception {
    for (String topic : List.of("a", "b")) {
      for (String key : List.of("k", "l")) {
        die(topic, key, Reason.REJECTED);
        die(topic, key, Reason.EXPIRED);
      }
      die(topic, null, Reason.REJECTED);
    }
  }

  @Test
  void by_topic() throws Exception {
    everyKind();
    assertThat(found(ALL.topic("a"))).hasSize(5).allMatch(text -> text.startsWith("a/"));
    assertThat(found(ALL.topic("c"))).isEmpty();
  }

  @Test
  void by_key() throws Exception {
    everyKind();
    assertThat(found(ALL.key("k"))).hasSize(4).allMatch(text -> text.contains("/k/"));
    assertThat(found(ALL.key("null"))).isEmpty();
  }

  @Test
  void by_reason() throws Exception {
    everyKind();
    assertThat(found(ALL.reason(Reason.EXPIRED)))
        .hasSize(4)
        .allMatch(text -> text.endsWith("/EXPIRED"));
    assertThat(found(ALL.reason(Reason.CRASH))).isEmpty();
  }

  @Test
  void by_everything_together() throws Exception {
    everyKind();
    assertThat(found(ALL.topic("a").key("k"))).hasSize(2);
    assertThat(found(ALL.topic("b").reason(Reason.REJECTED))).hasSize(3);
    assertThat(found(ALL.key("l").reason(Reason.EXPIRED))).hasSize(2);
    Filter one = ALL.topic("b").key("l").reason(Reason.EXPIRED);
    assertThat(found(one)).containsExactly("b/l/EXPIRED");
    assertThat(found(one.olderThan(Duration.ZERO))).containsExactly("b/l/EXPIRED");
    assertThat(found(one.olderThan(Duration.ofHours(1)))).isEmpty();
    assertThat(found(ALL)).hasSize(10);
  }

  @Test
  void by_age() throws Exception {
    die("old", null, Reason.REJECTED);
    passTime(Duration.ofHours(2));
    die("young", null, Reason.REJECTED);
    assertThat(found(ALL.olderThan(Duration.ofHours(3)))).isEmpty();
    assertThat(found(ALL.olderThan(Duration.ofHours(1)))).containsExactly("old/null/REJECTED");
    assertThat(found(ALL.topic("young").olderThan(Duration.ofHours(1)))).isEmpty();
    assertThat(found(ALL.olderThan(Duration.ZERO))).hasSize(2);
    assertThatThrownBy(() -> ALL.olderThan(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("olderThan is PT-0.001S, the minimum is zero");
  }

  @Test
  void by_a_part_of_the_error_whatever_its_letters() throws Exception {
    die("a", "k", Reason.REJECTED);
    StoredEnvelope other = ready(Sample.of("b", "k", "other")).get(0);
    String error = "java.net.ConnectException: 100% of 10_000 ports, Stra\u00DFe";
    settled(
        settle(
            relay,
            lease,
            List.of(new Fate.Bury(other, Reason.EXHAUSTED, error, 1, "history", false))));
    for (String part : List.of("CONNECTexception", "100% of", "10_000", "stra\u00DFe")) {
      assertThat(found(ALL.error(part))).as(part).containsExactly("other");
    }
    assertThat(found(ALL.error("WHY"))).containsExactly("a/k/REJECTED");
    assertThat(found(ALL.error("10%ports"))).isEmpty();
    assertThat(found(ALL.topic("a").error("connect"))).isEmpty();
    assertThat(dead.ids(ALL.error("connect"), 0, 10)).hasSize(1);
    assertThat(dead.count(ALL.error("connect"), 10)).isEqualTo(1);
    assertThatThrownBy(() -> ALL.error(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("error is empty; give it a value of 1 to 1000 characters");
    assertThatThrownBy(() -> ALL.error("a".repeat(1001)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("error has 1001 characters, the limit is 1000");
  }

  /** What is cut off would widen the filter, and a discard would delete others. */
  @Test
  void by_all_of_a_long_part_of_the_error() throws Exception {
    String start = "why ".repeat(249);
    for (String end : List.of("one", "two")) {
      StoredEnvelope dying = ready(Sample.of("t", null, end)).get(0);
      settled(
          settle(
              relay,
              lease,
              List.of(new Fate.Bury(dying, Reason.EXHAUSTED, start + end, 1, "history", false))));
    }
    assertThat(found(ALL.error(start + "one"))).containsExactly("one");
  }

  @Test
  void by_the_highest_number() throws Exception {
    everyKind();
    List<DeadLetter.Id> ids = dead.ids(ALL, 0, 100);
    Filter first = ALL.upTo(ids.get(3).number());
    assertThat(dead.ids(first, 0, 100)).isEqualTo(ids.subList(0, 4));
    assertThat(dead.count(first, 100)).isEqualTo(4);
    assertThat(dead.page(first, ids.get(3).number(), 100)).isEmpty();
  }

  @Test
  void topics_and_keys_are_distinguished_exactly() throws Exception {
    List<String> similar = List.of("t", "T", "t ", " t", "t\u00E4", "ta", "%", "_");
    for (String each : similar) {
      die(each, each, Reason.REJECTED);
    }
    for (String each : similar) {
      String text = each + "/" + each + "/REJECTED";
      assertThat(found(ALL.topic(each))).containsExactly(text);
      assertThat(found(ALL.key(each))).containsExactly(text);
      assertThat(dead.count(ALL.topic(each), 10)).isEqualTo(1);
    }
  }

  @Test
  void pages_follow_each_other_through_what_does_not_fit() throws Exception {
    List<NewEnvelope> messages = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      messages.add(Sample.of(i % 3 == 0 ? "rare" : "common", "k" + i % 4, "text " + i));
    }
    settle(
        relay,
        lease,
        ready(messages.toArray(new NewEnvelope[0])).stream().map(StoreCases::bury).toList());
    List<Long> numbers = new ArrayList<>();
    long after = 0;
    for (List<DeadLetter> page = dead.page(ALL.topic("rare"), after, 7);
        !page.isEmpty();
        page = dead.page(ALL.topic("rare"), after, 7)) {
      assertThat(page).hasSizeLessThanOrEqualTo(7);
      page.forEach(letter -> numbers.add(letter.number()));
      after = numbers.get(numbers.size() - 1);
    }
    assertThat(numbers).hasSize(20).isSorted().doesNotHaveDuplicates();
    assertThat(dead.page(ALL.topic("rare"), 0, 7)).hasSize(7);
  }

  @Test
  void the_highest_number_is_reported() throws Exception {
    assertThat(dead.last()).isZero();
    for (int i = 0; i < 5; i++) {
      die("t", null, Reason.REJECTED);
      assertThat(dead.last()).isEqualTo(highest());
    }
    dead.discard(List.of(newest()));
    assertThat(dead.last()).isEqualTo(highest());
  }

  private long highest() {
    return newest().number();
  }

  private DeadLetter.Id newest() {
    List<DeadLetter> letters = dead.page(ALL, 0, 100);
    return letters.get(letters.size() - 1).id();
  }

  @Test
  void ids_are_those_of_the_pages() throws Exception {
    everyKind();
    List<DeadLetter.Id> ids = dead.ids(ALL.topic("b"), 0, 100);
    assertThat(ids)
        .isEqualTo(dead.page(ALL.topic("b"), 0, 100).stream().map(DeadLetter::id).toList());
    assertThat(dead.ids(ALL.topic("b"), ids.get(1).number(), 2)).isEqualTo(ids.subList(2, 4));
    assertThat(dead.ids(ALL, ids.get(4).number(), 2)).isEmpty();
  }

  @Test
  void summaries_are_those_of_the_pages() throws Exception {
    everyKind();
    List<DeadLetter> letters = dead.page(ALL, 0, 100);
    List<DeadLetter.Summary> summaries = dead.summaries(ALL, 0, 100);
    assertThat(summaries).isEqualTo(letters.stream().map(DeadLetter::summary).toList());
    assertThat(dead.summaries(ALL.topic("b"), 0, 100))
        .isEqualTo(summaries.stream().filter(each -> each.topic().equals("b")).toList());
    assertThat(dead.summaries(ALL.topic("b").key("k"), 0, 100))
        .isNotEmpty()
        .allMatch(each -> new Key("k").equals(each.key()));
    assertThat(dead.summaries(ALL, summaries.get(1).id().number(), 2))
        .isEqualTo(summaries.subList(2, 4));
  }

  @Test
  void a_count_of_those_that_fit_goes_no_further_than_its_bound() throws Exception {
    everyKind();
    assertThat(dead.count(ALL.topic("a"), 100)).isEqualTo(5);
    assertThat(dead.count(ALL.topic("a"), 5)).isEqualTo(5);
    assertThat(dead.count(ALL.topic("a"), 4)).isEqualTo(4);
    assertThat(dead.count(ALL.topic("a").key("k").olderThan(Duration.ZERO), 100)).isEqualTo(2);
    assertThat(dead.count(ALL.topic("c"), 100)).isZero();
  }

  @Test
  void by_topic_where_claims_are_by_rows() throws Exception {
    try (StoreEnvironment rows = opener.open(StoreSetting.rows());
        RowStore worker = rows.store().rows(LEASE)) {
      try (Connection connection = rows.applications().getConnection()) {
        connection.setAutoCommit(false);
        rows.store()
            .append(connection, List.of(Sample.of("a", null, "a1"), Sample.of("b", null, "b1")));
        connection.commit();
      }
      try (RowClaim claim = worker.claim(10)) {
        claim.settle(claim.messages().stream().map(StoreCases::bury).toList());
      }
      assertThat(texts(rows.store().deadLetters().page(ALL.topic("b"), 0, 10)))
          .containsExactly("b1");
      assertThat(rows.store().deadLetters().count(ALL.reason(Reason.REJECTED), 10)).isEqualTo(2);
    }
  }
}
