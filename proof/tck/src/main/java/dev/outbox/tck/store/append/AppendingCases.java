package dev.outbox.tck.store.append;

import static dev.outbox.tck.fixture.Sample.keyed;
import static dev.outbox.tck.fixture.Sample.message;
import static dev.outbox.tck.fixture.Sample.numbered;
import static dev.outbox.tck.fixture.Sample.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.InMemoryStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Messages are written in the caller's transaction. */
public abstract class AppendingCases extends StoreCases {
  protected AppendingCases(Opener opener) {
    super(opener);
  }

  @Test
  void messages_of_one_call_keep_their_order() throws Exception {
    commit(numbered("k", 200));
    LaneStore relay = relay("a");
    assertThat(texts(readAll(relay))).isEqualTo(numbers("k", 200));
  }

  @Test
  void messages_of_several_calls_in_one_transaction_keep_their_order() throws Exception {
    Connection connection = begin();
    for (NewEnvelope newEnvelope : numbered("k", 20)) {
      store().append(connection, List.of(newEnvelope));
    }
    connection.commit();
    assertThat(texts(readAll(relay("a")))).isEqualTo(numbers("k", 20));
  }

  @Test
  void ten_thousand_messages_fit_in_one_call() throws Exception {
    commit(numbered("k", 10_000));
    assertThat(texts(readAll(relay("a")))).isEqualTo(numbers("k", 10_000));
  }

  @Test
  void messages_stand_in_the_lane_they_were_given() throws Exception {
    commit(
        message(LANE, "k", "first"), message(OTHER, "k", "second"), message(LANE, null, "third"));
    LaneStore relay = relay("a");
    assertThat(texts(read(relay, LANE))).containsExactly("first", "third");
    assertThat(texts(read(relay, OTHER))).containsExactly("second");
    assertThat(read(relay, OTHER).get(0).lane()).isEqualTo(OTHER);
  }

  @Test
  void an_empty_list_writes_nothing() throws Exception {
    commit(List.of());
    assertThat(readAll(relay("a"))).isEmpty();
  }

  @Test
  void nothing_is_visible_before_the_commit() throws Exception {
    Connection connection = begin();
    store()
        .append(connection, List.of(keyed("k", "ready"), Sample.after(Duration.ZERO, "delayed")));
    LaneStore relay = relay("a");
    List<Lease> leases = claimAll(relay);
    assertThat(relay.promoteDue(leases, 10)).isZero();
    assertThat(readAll(relay)).isEmpty();
    connection.commit();
    relay.promoteDue(leases, 10);
    assertThat(texts(readAll(relay))).containsExactly("ready", "delayed");
  }

  @Test
  void a_rollback_leaves_nothing() throws Exception {
    Connection connection = begin();
    store().append(connection, List.of(keyed("k", "ready"), Sample.after(SOON, "delayed")));
    connection.rollback();
    connection.close();
    LaneStore relay = relay("a");
    passTime(SOON);
    assertThat(relay.promoteDue(claimAll(relay), 10)).isZero();
    assertThat(readAll(relay)).isEmpty();
  }

  @Test
  void a_rollback_to_a_savepoint_leaves_what_came_before() throws Exception {
    Connection connection = begin();
    store().append(connection, List.of(keyed("k", "before")));
    Savepoint savepoint = connection.setSavepoint();
    store().append(connection, List.of(keyed("k", "undone")));
    connection.rollback(savepoint);
    store().append(connection, List.of(keyed("k", "after")));
    connection.commit();
    assertThat(texts(readAll(relay("a")))).containsExactly("before", "after");
  }

  @Test
  void the_connection_keeps_its_settings_and_its_transaction() throws Exception {
    Connection connection = begin(Connection.TRANSACTION_SERIALIZABLE);
    store().append(connection, List.of(keyed("k", "one")));
    assertThat(connection.isClosed()).isFalse();
    assertThat(connection.getAutoCommit()).isFalse();
    assertThat(connection.isReadOnly()).isFalse();
    assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
    connection.rollback();
    assertThat(readAll(relay("a"))).isEmpty();
  }

  @Test
  void a_closed_connection_is_refused() throws Exception {
    Connection connection = begin();
    connection.close();
    assertRefused(connection);
  }

  @Test
  void a_read_only_connection_is_refused() throws Exception {
    Connection connection = environment().applications().getConnection();
    try (connection) {
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      assertRefused(connection);
      connection.rollback();
      connection.setAutoCommit(true);
      connection.setReadOnly(false);
    }
  }

  @Test
  void a_connection_of_another_database_is_refused() throws Exception {
    try (Connection connection = InMemoryStore.create().begin()) {
      assertRefused(connection);
    }
  }

  private void assertRefused(Connection connection) {
    assertThatThrownBy(() -> store().append(connection, List.of(keyed("k", "one"))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(readAll(relay("a"))).isEmpty();
  }

  @Test
  void interleaved_commits_and_rollbacks_leave_exactly_what_was_committed() throws Exception {
    Random random = seeded("interleaved commits and rollbacks");
    Set<String> committed = new HashSet<>();
    List<OpenWriter> writers = new ArrayList<>();
    for (int step = 0; step < 300; step++) {
      if (writers.size() < 6) {
        writers.add(new OpenWriter(begin(), new ArrayList<>()));
      }
      OpenWriter writer = writers.get(random.nextInt(writers.size()));
      switch (random.nextInt(4)) {
        case 0 -> {
          writer.connection.commit();
          committed.addAll(writer.texts);
          close(writers, writer);
        }
        case 1 -> {
          writer.connection.rollback();
          close(writers, writer);
        }
        default -> append(writer, step);
      }
    }
    for (OpenWriter writer : writers) {
      writer.connection.rollback();
    }
    assertThat(texts(readAll(relay("a")))).containsExactlyInAnyOrderElementsOf(committed);
  }

  private void append(OpenWriter writer, int step) {
    String text = "step " + step;
    store().append(writer.connection, List.of(message(new Lane(step % 4), "k" + step % 7, text)));
    writer.texts.add(text);
  }

  private static void close(List<OpenWriter> writers, OpenWriter writer) throws SQLException {
    writers.remove(writer);
    writer.connection.close();
  }

  private record OpenWriter(Connection connection, List<String> texts) {}
}
