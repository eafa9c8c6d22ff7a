package dev.outbox.tck.store.append;

import static dev.outbox.tck.fixture.Sample.assertSame;
import static dev.outbox.tck.fixture.Sample.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.message.Payload;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What was enqueued comes back as it was. */
public abstract class KeepingCases extends StoreCases {
  protected KeepingCases(Opener opener) {
    super(opener);
  }

  private Envelope kept(Envelope envelope) throws Exception {
    commit(Sample.ready(LANE, envelope));
    List<StoredEnvelope> stored = readAll(relay("a"));
    assertThat(stored).hasSize(1);
    assertSame(stored.get(0).envelope(), envelope);
    assertThat(stored.get(0).defect()).isNull();
    assertThat(stored.get(0).isParked()).isFalse();
    return stored.get(0).envelope();
  }

  private Instant later() {
    return store().now().plus(Duration.ofDays(40)).truncatedTo(ChronoUnit.MILLIS);
  }

  @Test
  void a_message_with_something_unusual_in_each_part() throws Exception {
    kept(Sample.rich(later()));
  }

  @Test
  void a_payload_of_one_mebibyte() throws Exception {
    byte[] bytes = new byte[1 << 20];
    new Random(1).nextBytes(bytes);
    kept(Sample.envelope("t", "k", Map.of(), new Payload("application/octet-stream", bytes)));
  }

  @Test
  void an_empty_payload() throws Exception {
    Payload empty = new Payload("application/octet-stream", new byte[0]);
    assertThat(kept(Sample.envelope("t", "k", Map.of(), empty)).payload().bytes()).isEmpty();
  }

  @Test
  void an_empty_text() throws Exception {
    assertThat(kept(Sample.envelope("t", "k", "")).payload().text()).isEmpty();
  }

  @Test
  void an_empty_header_value() throws Exception {
    Envelope kept = kept(Sample.envelope("t", "k", Map.of("tenant", ""), Sample.text("x")));
    assertThat(kept.headers()).containsExactly(Map.entry("tenant", ""));
  }

  @Test
  void no_headers_at_all() throws Exception {
    assertThat(kept(Sample.envelope("t", "k", "x")).headers()).isEmpty();
  }

  @Test
  void no_key() throws Exception {
    assertThat(kept(Sample.envelope("t", null, "x")).key()).isNull();
  }

  @Test
  void a_hundred_headers_in_their_order() throws Exception {
    Map<String, String> headers = new LinkedHashMap<>();
    for (int i = 100; i > 0; i--) {
      headers.put("header-" + i * 37 % 101, "value " + i);
    }
    kept(Sample.envelope("t", "k", headers, Sample.text("x")));
  }

  @Test
  void headers_with_quotes_backslashes_and_control_characters() throws Exception {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("json", "{\"a\":[1,\"\\u0041\\\\\"],\"b\":null}");
    headers.put("sql", "'; DROP TABLE outbox; -- :name ? ${x} <y>");
    headers.put("control", "tab\tline\nreturn\rbell\u0007unit\u001Fdelete\u007Fnext\u0085");
    headers.put("=:;,", " leading and trailing ");
    headers.put("null", "null");
    kept(Sample.envelope("t", "k", headers, Sample.text("x")));
  }

  @Test
  void the_longest_topic_key_and_content_type() throws Exception {
    String longest = "\u8A9E".repeat(255);
    Payload payload = new Payload(longest, new byte[] {1});
    kept(Sample.envelope(longest, longest, Map.of(longest, longest), payload));
  }

  @Test
  void the_longest_topic_and_key_of_four_byte_characters() throws Exception {
    String longest = "\uD83D\uDE80".repeat(127);
    kept(Sample.envelope(longest, longest, "x"));
  }

  @Test
  void keys_and_topics_of_spaces() throws Exception {
    kept(Sample.envelope(" ", "  ", " "));
  }

  @Test
  void a_reference_and_no_payload() throws Exception {
    Envelope kept = kept(Sample.reference("k", "mail_deliveries", "7"));
    assertThat(kept.isUnresolved()).isTrue();
  }

  @Test
  void the_longest_reference() throws Exception {
    kept(Sample.reference("k", "t".repeat(128), "\u8A9E".repeat(255)));
  }

  @Test
  void a_message_stays_the_same_through_every_table() throws Exception {
    staysTheSame(Sample.rich(later()));
  }

  @Test
  void a_reference_stays_the_same_through_every_table() throws Exception {
    staysTheSame(Sample.reference("k", "shop.mail_deliveries", "7"));
  }

  private void staysTheSame(Envelope rich) throws Exception {
    commit(new NewEnvelope(LANE, rich, new Message.Due.After(SOON)));
    LaneStore relay = relay("a");
    Lease lease = claimFirst(relay);
    passTime(SOON);
    assertThat(relay.promoteDue(List.of(lease), 10)).isEqualTo(1);
    StoredEnvelope ready = readAll(relay).get(0);
    assertSame(ready.envelope(), rich);
    settle(relay, lease, fail(ready, Duration.ZERO));
    StoredEnvelope parked = readDue(relay).get(0);
    assertSame(parked.envelope(), rich);
    assertThat(parked.id()).isEqualTo(ready.id());
    settle(relay, lease, bury(parked));
    DeadLetter dead = store().deadLetters().page(Filter.all(), 0, 10).get(0);
    assertSame(dead.envelope(), rich);
    store().deadLetters().replay(List.of(dead.id()));
    assertSame(readAll(relay).get(0).envelope(), rich);
  }

  @Test
  void errors_of_any_length_and_character() throws Exception {
    commit(keyed("k", "x"));
    LaneStore relay = relay("a");
    Lease lease = claimFirst(relay);
    String error = "caf\u00E9 \uD83D\uDE80 ".repeat(10_000);
    StoredEnvelope ready = readAll(relay).get(0);
    settle(relay, lease, new Fate.Park(ready, HoldReason.FAILED, 1, Duration.ZERO, error, error));
    StoredEnvelope parked = readDue(relay).get(0);
    assertThat(requireParking(parked).history()).startsWith("caf\u00E9 \uD83D\uDE80 caf");
    settle(relay, lease, new Fate.Bury(parked, Reason.EXHAUSTED, error, 2, error, false));
    DeadLetter dead = store().deadLetters().page(Filter.all(), 0, 10).get(0);
    assertThat(dead.error()).startsWith("caf\u00E9 \uD83D\uDE80 caf");
    assertThat(dead.history()).startsWith("caf\u00E9 \uD83D\uDE80 caf");
  }

  @Test
  void empty_errors_and_histories() throws Exception {
    commit(keyed("k", "x"));
    LaneStore relay = relay("a");
    Lease lease = claimFirst(relay);
    StoredEnvelope ready = readAll(relay).get(0);
    settle(relay, lease, new Fate.Park(ready, HoldReason.FAILED, 1, Duration.ZERO, "", ""));
    StoredEnvelope parked = readDue(relay).get(0);
    assertThat(requireParking(parked).history()).isEmpty();
    settle(relay, lease, new Fate.Bury(parked, Reason.EXHAUSTED, "", 1, "", false));
    DeadLetter dead = store().deadLetters().page(Filter.all(), 0, 10).get(0);
    assertThat(dead.error()).isEmpty();
    assertThat(dead.history()).isEmpty();
  }
}
