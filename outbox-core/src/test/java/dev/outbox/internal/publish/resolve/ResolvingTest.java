package dev.outbox.internal.publish.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.internal.publish.BrokenKeys;
import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import dev.outbox.publish.Ack;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.publish.RecordingFlight;
import dev.outbox.publish.Resolver;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
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
    Publisher down =
        Publisher.blocking(e -> sent.add("no"))
            .resolving(
                (references, claim) -> {
                  calls.add(references.size());
                  throw new ConnectException("no database");
                });
    RecordingFlight flight =
        RecordingFlight.of(to(null, "mail_deliveries", "1"), to(null, "mail_deliveries", "2"));

    down.publish(flight);

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
  void a_failure_that_the_resolver_reads_as_final_is_final_for_its_own_message_only()
      throws Exception {
    row("1", "one");
    for (Ack fate : List.of(Ack.rejected("broken row"), Ack.delivered())) {
      sent.clear();
      Envelope poison = to(null, "mail_deliveries", "poison");
      RecordingFlight flight = RecordingFlight.of(poison, to(null, "mail_deliveries", "1"));

      Publisher.blocking(e -> sent.add(e.payload().text()))
          .resolving(reading(fate))
          .publish(flight);

      assertThat(sent).containsExactly("one");
      assertThat(flight.answer(poison)).isEqualTo(fate);
    }
  }

  /** Fails on what is named poison, and reads that as {@code fate}. */
  private Resolver reading(Ack fate) {
    return new Resolver() {
      @Override
      public Map<Reference, Payload> resolve(
          Set<Reference> references, java.sql.@Nullable Connection claim) throws Exception {
        if (references.contains(new Reference("mail_deliveries", "poison"))) {
          throw new IllegalStateException("division by zero");
        }
        return resolver.resolve(references, claim);
      }

      @Override
      public Ack failure(Throwable thrown) {
        return fate;
      }
    };
  }

  @Test
  void nothing_more_is_asked_for_once_the_time_of_the_flight_is_over() throws Exception {
    List<Integer> calls = new ArrayList<>();
    RecordingFlight flight =
        RecordingFlight.of(
            to(null, "mail_deliveries", "1"),
            to(null, "mail_deliveries", "2"),
            to(null, "mail_deliveries", "3"));
    Publisher slow =
        Publisher.blocking(e -> sent.add("no"))
            .resolving(
                (references, claim) -> {
                  calls.add(references.size());
                  flight.over = calls.size() == 2;
                  throw new IllegalStateException("slow and broken");
                });

    slow.publish(flight);

    assertThat(calls).containsExactly(3, 1);
    assertThat(flight.kinds())
        .containsExactly(Ack.Failed.class, Ack.NotSent.class, Ack.NotSent.class);
  }

  @Test
  void what_was_loaded_too_late_is_not_sent_and_silence_while_loading_is_no_failure()
      throws Exception {
    row("1", "one");
    List<Ack> silences = new ArrayList<>();
    List<Publisher> slow = new ArrayList<>();
    Envelope envelope = to(null, "mail_deliveries", "1");
    RecordingFlight flight = RecordingFlight.of(envelope);
    Publisher eager =
        each -> {
          sent.add("too late");
          each.envelopes().forEach(one -> each.ack(one, Ack.delivered()));
        };
    slow.add(
        Publisher.route(
            Map.of(
                "mails",
                eager.resolving(
                    (references, claim) -> {
                      silences.add(silence(slow.get(0), envelope));
                      flight.over = true;
                      return resolver.resolve(references, claim);
                    }))));

    slow.get(0).publish(flight);

    assertThat(sent).isEmpty();
    assertThat(flight.kinds()).containsExactly(Ack.NotSent.class);
    assertThat(silences).singleElement().isInstanceOf(Ack.Unavailable.class);
    assertThat(silence(slow.get(0), envelope)).isInstanceOf(Ack.Failed.class);
  }

  private static Ack silence(Publisher publisher, Envelope envelope) {
    return publisher.unanswered(envelope, new TimeoutException("deadline"));
  }

  @Test
  void a_database_that_goes_away_in_the_middle_is_not_waited_for_with_every_reference()
      throws Exception {
    List<Integer> calls = new ArrayList<>();
    Publisher leaving =
        Publisher.blocking(e -> sent.add("no"))
            .resolving(
                (references, claim) -> {
                  calls.add(references.size());
                  throw calls.size() == 1
                      ? new IllegalStateException("broken")
                      : new ConnectException("no database");
                });
    RecordingFlight flight =
        RecordingFlight.of(
            to(null, "mail_deliveries", "1"),
            to(null, "mail_deliveries", "2"),
            to(null, "mail_deliveries", "3"));

    leaving.publish(flight);

    assertThat(calls).containsExactly(3, 1);
    assertThat(flight.kinds()).containsOnly(Ack.Unavailable.class);
  }

  @Test
  void a_time_out_of_a_statement_is_no_fault_of_the_messages() throws Exception {
    for (SQLException passing :
        List.of(new SQLTimeoutException("15 s"), new SQLTransientException("lock wait"))) {
      Publisher slow =
          Publisher.blocking(e -> sent.add("no"))
              .resolving(
                  (references, claim) -> {
                    throw new IllegalStateException(passing);
                  });
      RecordingFlight flight = RecordingFlight.of(to(null, "mail_deliveries", "1"));

      slow.publish(flight);

      assertThat(flight.kinds()).containsExactly(Ack.Unavailable.class);
    }
  }

  @Test
  void a_resolver_says_what_its_failures_mean() throws Exception {
    Publisher strict =
        Publisher.blocking(e -> sent.add("no"))
            .resolving(
                new Resolver() {
                  @Override
                  public Map<Reference, Payload> resolve(
                      Set<Reference> references, java.sql.@Nullable Connection claim) {
                    throw new IllegalStateException("no grant");
                  }

                  @Override
                  public Ack failure(Throwable thrown) {
                    return Ack.unavailable(thrown);
                  }
                });
    RecordingFlight flight = RecordingFlight.of(to(null, "mail_deliveries", "1"));

    strict.publish(flight);

    assertThat(flight.kinds()).containsExactly(Ack.Unavailable.class);
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
  void a_route_whose_loading_is_left_to_it_gets_references_in_its_plain_parts() throws Exception {
    row("1", "one");
    List<Envelope> seen = new ArrayList<>();
    Publisher plain = Publisher.blocking(seen::add);
    Publisher route = Publisher.route(Map.of("mails", publisher, "orders", plain));
    Envelope order =
        new Envelope(
            MessageId.next(),
            "orders",
            null,
            Map.of(),
            Reference.UNRESOLVED,
            null,
            new Reference("mail_deliveries", "1"));

    for (Publisher left :
        List.of(
            route.resolving(Resolver.byPublisher()),
            route.withGuarantees(BrokerGuarantees.nothing()).resolving(Resolver.byPublisher()),
            route.resolving(Resolver.byPublisher()).classify(Ack::of))) {
      RecordingFlight flight = RecordingFlight.of(to(null, "mail_deliveries", "1"), order);
      left.publish(flight);
      assertThat(flight.kinds()).containsOnly(Ack.Delivered.class);
    }

    assertThat(sent).containsExactly("one", "one", "one");
    assertThat(seen).hasSize(3).allMatch(Envelope::isUnresolved);
    assertThat(seen).allMatch(each -> each.reference().equals(order.reference()));
  }

  @Test
  void of_nested_resolvers_each_loads_the_tables_that_it_knows() throws Exception {
    row("1", "one");
    Resolver users = only("users", "a user");
    Resolver mails = only("mail_deliveries", "a mail");
    Publisher plain = Publisher.blocking(e -> sent.add(e.payload().text()));
    for (Publisher nested :
        List.of(plain.resolving(users).resolving(mails), plain.resolving(mails).resolving(users))) {
      sent.clear();
      RecordingFlight flight =
          RecordingFlight.of(
              to(null, "mail_deliveries", "1"), to(null, "users", "1"), to(null, "secrets", "1"));

      nested.publish(flight);

      assertThat(sent).containsExactlyInAnyOrder("a mail", "a user");
      assertThat(flight.kinds())
          .containsExactly(Ack.Delivered.class, Ack.Delivered.class, Ack.Unavailable.class);
      assertThat(reason(flight.answer(flight.envelopes().get(2)))).contains("secrets '1'");
    }
  }

  @Test
  void what_no_resolver_knows_goes_to_a_publisher_that_loads_for_itself() throws Exception {
    Publisher plain = Publisher.blocking(e -> sent.add(e.payload().contentType()));
    for (Publisher nested :
        List.of(
            plain.resolving(Resolver.byPublisher()).resolving(only("users", "a user")),
            plain.resolving(only("users", "a user")).resolving(Resolver.byPublisher()))) {
      sent.clear();
      RecordingFlight flight =
          RecordingFlight.of(to(null, "users", "1"), to(null, "mail_deliveries", "1"));

      nested.publish(flight);

      assertThat(flight.kinds()).containsOnly(Ack.Delivered.class);
      assertThat(sent).containsExactlyInAnyOrder("text/plain", "reference");
    }
  }

  private static Resolver only(String table, String text) {
    return new Resolver() {
      @Override
      public Map<Reference, Payload> resolve(
          Set<Reference> references, java.sql.@Nullable Connection claim) {
        Map<Reference, Payload> found = new HashMap<>();
        for (Reference each : references) {
          found.put(each, new Payload("text/plain", text.getBytes(StandardCharsets.UTF_8)));
        }
        return found;
      }

      @Override
      public boolean knows(String asked) {
        return asked.equals(table);
      }
    };
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
