package dev.outbox.tck.enqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.json.JacksonCodec;
import dev.outbox.message.EnqueueObserver;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.Arrival;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is enqueued arrives as it was given. */
public abstract class WritingCases extends RelayCases {
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  protected WritingCases(Opener opener) {
    super(opener);
  }

  record Order(int number, String customer) {}

  private Envelope arrived() {
    started("a").drainNow();
    assertThat(broker.count()).isEqualTo(1);
    return broker.messages().get(0).envelope();
  }

  @Test
  void an_object_is_written_as_json() throws Exception {
    commit(Message.to(TOPIC).key(7).payload(new Order(7, "Zoë \ud83d\ude80")));
    Envelope envelope = arrived();
    assertThat(envelope.payload().contentType()).isEqualTo("application/json");
    assertThat(JacksonCodec.create().decode(envelope.payload(), Order.class))
        .isEqualTo(new Order(7, "Zoë \ud83d\ude80"));
  }

  @Test
  void json_text_is_written_as_it_is() throws Exception {
    commit(Message.to(TOPIC).key(7).json("{ \"number\": 7, \"customer\": \"Zoë\" }"));
    Envelope envelope = arrived();
    assertThat(envelope.payload().contentType()).isEqualTo("application/json");
    assertThat(envelope.payload().text()).isEqualTo("{ \"number\": 7, \"customer\": \"Zoë\" }");
  }

  @Test
  void text_and_bytes_are_written_as_they_are_with_their_types() throws Exception {
    commit(message("k", "Zoë"));
    commit(Message.to(TOPIC).key("k").bytes(new byte[] {0, -1}));
    commit(Message.to(TOPIC).key("k").bytes(new byte[] {1}, "application/avro"));
    started("a").drainNow();
    List<Envelope> envelopes = broker.messages().stream().map(Arrival::envelope).toList();
    assertThat(envelopes)
        .extracting(envelope -> envelope.payload().contentType())
        .containsExactly(
            "text/plain; charset=utf-8", "application/octet-stream", "application/avro");
    assertThat(envelopes.get(0).payload().text()).isEqualTo("Zoë");
    assertThat(envelopes.get(1).payload().bytes()).containsExactly(0, -1);
    assertThat(envelopes.get(2).payload().bytes()).containsExactly(1);
  }

  @Test
  void header_sources_add_and_the_message_wins_and_then_the_earlier_source() throws Exception {
    Outbox outbox =
        Outbox.builder(store())
            .headers(() -> Map.of("traceparent", TRACE, "tenant", "first"))
            .headers(() -> Map.of("tenant", "second", "user", "second"))
            .build();
    commit(outbox, List.of(Message.to(TOPIC).header("user", "own").header("a", "").text("x")));
    Envelope envelope = arrived();
    assertThat(envelope.headers())
        .containsOnly(
            Map.entry("user", "own"),
            Map.entry("a", ""),
            Map.entry("traceparent", TRACE),
            Map.entry("tenant", "first"));
    assertThat(envelope.headers().keySet()).startsWith("user", "a");
  }

  @Test
  void observers_add_headers_and_hear_what_was_written() throws Exception {
    List<Envelope> heard = new ArrayList<>();
    Outbox outbox =
        Outbox.builder(store())
            .headers(() -> Map.of("tenant", "source"))
            .observer(adding(heard, "first"))
            .observer(adding(heard, "second"))
            .build();
    commit(outbox, List.of(Message.to(TOPIC).text("x")));
    Envelope envelope = arrived();
    assertThat(envelope.headers())
        .containsOnly(
            Map.entry("tenant", "source"),
            Map.entry("of", "first"),
            Map.entry("traceparent", TRACE + envelope.id()));
    assertThat(heard)
        .hasSize(2)
        .allSatisfy(
            written -> {
              assertThat(written.id()).isEqualTo(envelope.id());
              assertThat(written.headers()).isEqualTo(envelope.headers());
            });
  }

  private static EnqueueObserver adding(List<Envelope> heard, String name) {
    return new EnqueueObserver() {
      @Override
      public Map<String, String> writing(Envelope envelope) {
        return Map.of("tenant", name, "of", name, "traceparent", TRACE + envelope.id());
      }

      @Override
      public void written(List<Envelope> envelopes) {
        heard.addAll(envelopes);
      }
    };
  }

  @Test
  void an_observer_that_throws_or_adds_what_is_no_header_changes_nothing() throws Exception {
    EnqueueObserver throwing =
        new EnqueueObserver() {
          @Override
          public Map<String, String> writing(Envelope envelope) {
            throw new NoSuchMethodError("of another version");
          }

          @Override
          public void written(List<Envelope> envelopes) {
            throw new IllegalStateException("no registry");
          }
        };
    EnqueueObserver odd =
        new EnqueueObserver() {
          @Override
          public Map<String, String> writing(Envelope envelope) {
            return Map.of("", "a header without a name");
          }
        };
    Outbox outbox = Outbox.builder(store()).observer(throwing).observer(odd).build();
    commit(outbox, List.of(Message.to(TOPIC).header("user", "own").text("x")));
    assertThat(arrived().headers()).containsOnly(Map.entry("user", "own"));
  }

  @Test
  void what_an_observer_adds_beyond_a_limit_is_left_out_and_the_message_is_written()
      throws Exception {
    EnqueueObserver observer = adding(new ArrayList<>(), "first");
    Outbox bounded = Outbox.builder(store()).observer(observer).maxHeaders("user".length()).build();
    Outbox limited =
        Outbox.builder(store())
            .observer(observer)
            .limits(sent -> sent.headers().size() > 1 ? "the broker takes one header" : null)
            .build();
    Message message = Message.to(TOPIC).header("user", "").text("x");
    commit(bounded, List.of(message));
    commit(limited, List.of(message));
    started("a").drainNow();
    assertThat(broker.messages())
        .hasSize(2)
        .allSatisfy(arrival -> assertThat(arrival.envelope().headers()).containsOnlyKeys("user"));
  }

  @Test
  void a_list_is_written_in_order_and_its_ids_are_returned() throws Exception {
    List<MessageId> ids = commit(numbered("k", 50));
    started("a").drainNow();
    assertThat(broker.ids()).containsExactlyElementsOf(ids);
    assertThat(texts("k")).isEqualTo(numbers("k", 50));
  }

  @Test
  void an_empty_list_writes_nothing() throws Exception {
    assertThat(commit(List.of())).isEmpty();
    assertThat(tableCounts()).isEqualTo(TableCounts.EMPTY);
  }

  @Test
  void a_rollback_leaves_nothing() throws Exception {
    Connection connection = begin();
    storeLedger().write(connection, "order");
    outbox().enqueue(connection, numbered("k", 3));
    connection.rollback();
    assertThat(tableCounts()).isEqualTo(TableCounts.EMPTY);
    assertThat(storeLedger().entries()).isEmpty();
  }

  @Test
  void callers_of_every_isolation_write() throws Exception {
    for (int isolation :
        List.of(
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE)) {
      try (Connection connection = environment().applications().getConnection()) {
        connection.setTransactionIsolation(isolation);
        connection.setAutoCommit(false);
        outbox().enqueue(connection, message("k", "isolation " + isolation));
        assertThat(connection.getTransactionIsolation()).isEqualTo(isolation);
        connection.commit();
      }
    }
    started("a").drainNow();
    assertThat(texts("k")).hasSize(3).isSorted();
  }
}
