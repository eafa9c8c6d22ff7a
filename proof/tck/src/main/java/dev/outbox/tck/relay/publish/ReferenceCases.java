package dev.outbox.tck.relay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import dev.outbox.publish.Resolver;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Payloads that are in rows of the application's own are loaded when they are published. */
public abstract class ReferenceCases extends RelayCases {
  private final Map<String, String> rows = new HashMap<>();
  private final List<Set<Reference>> asked = new ArrayList<>();

  protected ReferenceCases(Opener opener) {
    super(opener);
  }

  /** A message with a key, where there are keys. */
  Message.Draft draft(String key) {
    return Message.to(TOPIC).key(key);
  }

  private Message mail(String id) {
    return draft("k " + id).reference("mail_deliveries", id);
  }

  private Map<Reference, Payload> load(Set<Reference> references) {
    asked.add(Set.copyOf(references));
    Map<Reference, Payload> found = new HashMap<>();
    for (Reference reference : references) {
      String text = rows.get(reference.id());
      if (text != null) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        found.put(reference, new Payload("text/plain", bytes));
      }
    }
    return found;
  }

  private ManualRelay resolving() {
    return resolving((references, claim) -> load(references));
  }

  ManualRelay resolving(Resolver resolver) {
    return started(relay("a", broker.publisher().resolving(resolver)));
  }

  @Test
  void the_payload_is_what_the_row_says_when_it_is_published() throws Exception {
    rows.put("1", "first draft");
    List<MessageId> ids = commit(mail("1"), draft("inline").text("inline"));
    rows.put("1", "as sent");
    resolving().drainNow();
    assertThat(texts()).containsExactlyInAnyOrder("as sent", "inline");
    assertThat(broker.ids()).containsExactlyInAnyOrderElementsOf(ids);
    assertEmpty();
  }

  @Test
  void a_missing_row_is_a_dead_letter_that_names_it_and_can_be_replayed() throws Exception {
    rows.put("2", "two");
    commit(mail("1"), mail("2"));
    ManualRelay relay = resolving();
    relay.drainNow();
    assertThat(texts()).containsExactly("two");
    assertThat(dead()).hasSize(1);
    DeadLetter letter = dead().get(0);
    assertThat(letter.reason()).isEqualTo(Reason.REJECTED);
    assertThat(letter.error()).contains("mail_deliveries '1'");
    assertThat(letter.envelope().reference()).isEqualTo(new Reference("mail_deliveries", "1"));
    rows.put("1", "one");
    deadLetters().replay(List.of(letter.id()));
    relay.drainNow();
    assertThat(texts()).containsExactly("two", "one");
    assertEmpty();
  }

  @Test
  void a_relay_without_a_resolver_publishes_none_and_loses_none() throws Exception {
    rows.put("1", "one");
    commit(mail("1"), mail("2"));
    ManualRelay without = started(relay("without", broker.publisher()));
    for (int hour = 0; hour < 30; hour++) {
      without.drainNow();
      pass(Duration.ofHours(1));
    }
    assertThat(texts()).isEmpty();
    assertThat(tableCounts()).isEqualTo(new TableCounts(2, 0, 0, 0));
    without.close();
    rows.put("2", "two");
    resolving().drainNow();
    assertThat(texts()).containsExactlyInAnyOrder("one", "two");
    assertEmpty();
  }

  @Test
  void a_resolver_without_its_database_costs_no_attempts() throws Exception {
    rows.put("1", "one");
    commit(mail("1"));
    boolean[] down = {true};
    ManualRelay relay =
        resolving(
            (references, claim) -> {
              if (down[0]) {
                throw new ConnectException("no database");
              }
              return load(references);
            });
    for (int hour = 0; hour < 30; hour++) {
      relay.drainNow();
      pass(Duration.ofHours(1));
    }
    assertThat(tableCounts()).isEqualTo(new TableCounts(1, 0, 0, 0));
    down[0] = false;
    relay.drainNow();
    assertThat(texts()).containsExactly("one");
    assertEmpty();
  }

  @Test
  void a_reference_that_fails_waits_for_itself_and_is_loaded_again() throws Exception {
    rows.put("1", "one");
    rows.put("2", "two");
    commit(mail("1"), mail("2"));
    boolean[] broken = {true};
    ManualRelay relay =
        resolving(
            (references, claim) -> {
              if (broken[0] && references.contains(new Reference("mail_deliveries", "1"))) {
                throw new IllegalStateException("no grant");
              }
              return load(references);
            });
    relay.drainNow();
    assertThat(texts()).containsExactly("two");
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 1, 0, 0));
    broken[0] = false;
    pass(REST);
    relay.drainNow();
    assertThat(texts()).containsExactly("two", "one");
    assertEmpty();
  }

  @Test
  void a_delayed_reference_is_kept() throws Exception {
    rows.put("1", "one");
    commit(draft("k").deliverAfter(Duration.ofMinutes(1)).reference("mail_deliveries", "1"));
    ManualRelay relay = resolving();
    relay.drainNow();
    assertThat(texts()).isEmpty();
    pass(Duration.ofMinutes(2));
    relay.drainNow();
    assertThat(texts()).containsExactly("one");
    assertEmpty();
  }

  /** The same over lanes, with keys. */
  public abstract static class ByLanes extends ReferenceCases {
    protected ByLanes(Opener opener) {
      super(opener);
    }

    @Test
    void nothing_passes_a_reference_that_was_not_loaded() throws Exception {
      ManualRelay relay =
          resolving(
              (references, claim) -> {
                if (references.stream().anyMatch(each -> each.id().equals("1"))) {
                  throw new IllegalStateException("no grant");
                }
                return Map.of();
              });
      commit(
          message("a", "a 0"),
          draft("a").reference("mail_deliveries", "1"),
          message("a", "a 2"),
          message("b", "b 0"));
      relay.drainNow();
      pass(REST.multipliedBy(3));
      relay.drainNow();
      assertThat(texts("a")).containsExactly("a 0");
      assertThat(texts("b")).containsExactly("b 0");
    }
  }

  /** The same over row claims. */
  public abstract static class ByRows extends ReferenceCases {
    protected ByRows(Opener opener) {
      super(opener);
    }

    @Override
    protected StoreSetting setting() {
      return StoreSetting.rows();
    }

    @Override
    protected Message.Draft draft(String key) {
      return Message.to(TOPIC);
    }
  }
}
