package dev.outbox.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResolvingTest {
  private final List<Set<Reference>> asked = new ArrayList<>();
  private final List<String> sent = new ArrayList<>();
  private final Map<Reference, Payload> rows = new HashMap<>();
  private final Resolver resolver =
      (references, claim) -> {
        asked.add(Set.copyOf(references));
        Map<Reference, Payload> found = new HashMap<>(rows);
        found.keySet().retainAll(references);
        return found;
      };
  private final Publisher publisher =
      Publisher.blocking(envelope -> sent.add(envelope.payload().text())).resolving(resolver);

  private static Envelope to(@Nullable String key, String table, String id) {
    return new Envelope(
        MessageId.next(),
        "mails",
        key == null ? null : new Key(key),
        Map.of(),
        Reference.UNRESOLVED,
        null,
        new Reference(table, id));
  }

  private void row(String id, String text) {
    rows.put(
        new Reference("mail_deliveries", id),
        new Payload("text/plain", text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String reason(Ack ack) {
    return ack instanceof Ack.Rejected rejected
        ? rejected.reason()
        : String.valueOf(((Ack.Unavailable) ack).cause().getMessage());
  }

  @Test
  void loads_all_of_a_flight_in_one_call_and_each_reference_once() throws Exception {
    row("1", "one");
    row("2", "two");
    RecordingFlight flight =
        RecordingFlight.of(
            to(null, "mail_deliveries", "1"),
            to(null, "mail_deliveries", "2"),
            to(null, "mail_deliveries", "1"));

    publisher.publish(flight);

    assertThat(sent).containsExactly("one", "two", "one");
    assertThat(asked).hasSize(1);
    assertThat(flight.kinds()).containsOnly(Ack.Delivered.class).hasSize(3);
    assertThat(flight.ignored()).isZero();
  }

  @Test
  void leaves_the_reference_on_what_it_loaded() throws Exception {
    row("1", "one");
    List<Envelope> seen = new ArrayList<>();
    Envelope envelope = to("k", "mail_deliveries", "1");

    Publisher.blocking(seen::add).resolving(resolver).publish(RecordingFlight.of(envelope));

    assertThat(seen.get(0).reference()).isEqualTo(envelope.reference());
    assertThat(seen.get(0).isUnresolved()).isFalse();
    assertThat(seen.get(0).id()).isEqualTo(envelope.id());
    assertThat(seen.get(0).key()).isEqualTo(envelope.key());
  }

  @Test
  void passes_a_flight_without_references_as_it_is() throws Exception {
    List<Flight> seen = new ArrayList<>();
    Publisher bare = seen::add;
    RecordingFlight flight = RecordingFlight.of(RecordingFlight.keyed("k"));

    bare.resolving(resolver).publish(flight);

    assertThat(seen).containsExactly(flight);
    assertThat(asked).isEmpty();
  }

  @Test
  void rejects_a_message_whose_row_is_missing_and_sends_the_others() throws Exception {
    row("1", "one");
    Envelope missing = to("a", "mail_deliveries", "2");
    RecordingFlight flight = RecordingFlight.of(missing, to("b", "mail_deliveries", "1"));

    publisher.publish(flight);

    assertThat(sent).containsExactly("one");
    assertThat(flight.answer(missing)).isInstanceOf(Ack.Rejected.class);
    assertThat(reason(flight.answer(missing))).contains("mail_deliveries '2'", "the row is gone");
  }

  @Test
  void sends_no_later_message_of_a_key_whose_reference_cannot_be_loaded() throws Exception {
    row("2", "two");
    Envelope behind = to("k", "mail_deliveries", "2");
    Envelope inline = RecordingFlight.envelope("mails", "k");
    RecordingFlight flight = RecordingFlight.of(to("k", "mail_deliveries", "1"), behind, inline);

    publisher.publish(flight);

    assertThat(sent).isEmpty();
    assertThat(flight.answer(behind)).isEqualTo(BrokenKeys.BEHIND);
    assertThat(flight.answer(inline)).isEqualTo(BrokenKeys.BEHIND);
  }

  @Test
  void an_empty_row_is_sent_though_a_route_guards_its_parts() throws Exception {
    row("1", "");
    Publisher route =
        Publisher.route(Map.of("mails", Publisher.blocking(e -> sent.add(e.payload().text()))));
    RecordingFlight flight = RecordingFlight.of(to(null, "mail_deliveries", "1"));

    route.resolving(resolver).publish(flight);

    assertThat(sent).containsExactly("");
  }

  @Test
  void a_null_payload_counts_as_missing() throws Exception {
    rows.put(new Reference("mail_deliveries", "1"), null);
    RecordingFlight flight = RecordingFlight.of(to(null, "mail_deliveries", "1"));

    publisher.publish(flight);

    assertThat(flight.kinds()).containsExactly(Ack.Rejected.class);
  }

  @Test
  void an_outage_of_the_resolver_is_no_fault_of_the_messages() throws Exception {
    List<Integer> calls = new ArrayList<>();
    Publisher away =
        Publisher.blocking(e -> sent.add("no"))
            .resolving(
                (references, claim) -> {
                  calls.add(references.size());
                  throw new ConnectException("no database");
                });
    RecordingFlight flight =
        RecordingFlight.of(to(null, "mail_deliveries", "1"), to(null, "mail_deliveries", "2"));

    away.publish(flight);

    assertThat(flight.kinds()).containsOnly(Ack.Unavailable.class);
    assertThat(calls).containsExactly(2);
    assertThat(sent).isEmpty();
  }

  @Test
  void a_reference_that_the_resolver_fails_on_falls_on_its_own_message_only() throws Exception {
    row("1", "one");
    Publisher poisoned =
        Publisher.blocking(e -> sent.add(e.payload().text()))
            .resolving(
                (references, claim) -> {
                  if (references.contains(new Reference("mail_deliveries", "poison"))) {
                    throw new IllegalStateException("division by zero");
                  }
                  return resolver.resolve(references, claim);
                });
    Envelope poison = to(null, "mail_deliveries", "poison");
    RecordingFlight flight = RecordingFlight.of(poison, to(null, "mail_deliveries", "1"));

    poisoned.publish(flight);

    assertThat(sent).containsExactly("one");
    assertThat(flight.answer(poison)).isInstanceOf(Ack.Failed.class);
  }

  @Test
  void a_table_that_the_resolver_does_not_know_loses_nothing_and_names_the_remedy()
      throws Exception {
    Envelope foreign = to(null, "users", "1");
    Publisher choosy =
        Publisher.blocking(e -> sent.add("no"))
            .resolving(
                new Resolver() {
                  @Override
                  public Map<Reference, Payload> resolve(
                      Set<Reference> references, java.sql.@Nullable Connection claim) {
                    throw new AssertionError("asked for " + references);
                  }

                  @Override
                  public boolean knows(String table) {
                    return false;
                  }
                });
    RecordingFlight flight = RecordingFlight.of(foreign);

    choosy.publish(flight);

    assertThat(flight.kinds()).containsExactly(Ack.Unavailable.class);
    assertThat(reason(flight.answer(foreign))).contains("users '1'", "publisher.resolving");
  }

  @Test
  void a_route_keeps_references_from_those_parts_that_cannot_load_them() throws Exception {
    row("1", "one");
    Publisher plain = Publisher.blocking(e -> sent.add("unresolved"));
    Publisher route = Publisher.route(Map.of("mails", publisher, "orders", plain));
    Envelope mail = to(null, "mail_deliveries", "1");
    Envelope order =
        new Envelope(
            MessageId.next(),
            "orders",
            null,
            Map.of(),
            Reference.UNRESOLVED,
            null,
            new Reference("mail_deliveries", "1"));
    RecordingFlight flight = RecordingFlight.of(mail, order);

    route.publish(flight);

    assertThat(sent).containsExactly("one");
    assertThat(flight.answer(order)).isInstanceOf(Ack.Unavailable.class);
    assertThat(route.resolvesReferences()).isTrue();
  }

  @Test
  void a_publisher_that_loads_for_itself_gets_the_reference() throws Exception {
    List<Envelope> seen = new ArrayList<>();
    RecordingFlight flight = RecordingFlight.of(to(null, "mail_deliveries", "1"));

    Publisher.blocking(seen::add).resolving(Resolver.byPublisher()).publish(flight);

    assertThat(seen.get(0).reference()).isEqualTo(new Reference("mail_deliveries", "1"));
    assertThat(seen.get(0).isUnresolved()).isTrue();
    assertThat(flight.kinds()).containsExactly(Ack.Delivered.class);
  }

  @Test
  void a_classifier_reads_the_failures_of_the_broker_and_not_of_the_resolver() throws Exception {
    Publisher classified =
        Publisher.blocking(e -> sent.add("no"))
            .resolving(
                (references, claim) -> {
                  throw new IllegalStateException("no grant");
                })
            .classify(thrown -> Ack.delivered());
    RecordingFlight flight = RecordingFlight.of(to(null, "mail_deliveries", "1"));

    classified.publish(flight);

    assertThat(flight.kinds()).containsExactly(Ack.Failed.class);
    assertThat(classified.resolvesReferences()).isTrue();
  }

  @Test
  void keeps_what_the_publisher_promises() {
    assertThat(publisher.ordering()).isEqualTo(Ordering.PIPELINED);
    assertThat(Publisher.transactional((e, c) -> {}).resolving(resolver).isTransactional())
        .isTrue();
    assertThat(publisher.resolvesReferences()).isTrue();
    assertThat(Publisher.blocking(e -> {}).resolvesReferences()).isFalse();
    assertThatThrownBy(() -> publisher.resolving(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("resolver");
  }
}
