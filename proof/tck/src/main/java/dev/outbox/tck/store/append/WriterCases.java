package dev.outbox.tck.store.append;

import static dev.outbox.tck.fixture.Sample.keyed;
import static dev.outbox.tck.fixture.Sample.unkeyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.lane.OpenTransactions;
import dev.outbox.tck.fixture.OneLaneCases;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.testkit.internal.Crew;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A store that can tell knows who may still commit a message with an id of the past. */
public abstract class WriterCases extends OneLaneCases {
  protected WriterCases(Opener opener) {
    super(opener);
  }

  @RegisterExtension
  final KnownWritersOnly onlyWhereTheStoreCanTell =
      new KnownWritersOnly(() -> relay.openTransactions());

  private OpenTransactions.Known ask() {
    return (OpenTransactions.Known) relay.openTransactions();
  }

  /** The answer to a question that comes late enough for all ids taken before this call. */
  private Set<String> open() {
    long begun = System.nanoTime();
    long asked = begun;
    OpenTransactions.Known answer = ask();
    while (asked - begun < answer.lag().toNanos()) {
      assertThat(asked - begun).as("an answer of now").isLessThan(SOON.toNanos());
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      asked = System.nanoTime();
      answer = ask();
    }
    return answer.open();
  }

  private Connection openEnqueue(String text) throws Exception {
    Connection connection = begin();
    store().append(connection, List.of(keyed("k", text)));
    return connection;
  }

  /** Who is listed now and was not before; other tests may write on the same server. */
  private Set<String> listedSince(Set<String> before) {
    Set<String> names = new HashSet<>(open());
    names.removeAll(before);
    return names;
  }

  /** Goes on asking until none of {@code names} is listed. */
  private void awaitGone(Set<String> names) {
    long deadline = System.nanoTime() + 3 * SOON.toNanos();
    while (!Collections.disjoint(ask().open(), names)) {
      assertThat(System.nanoTime()).as("still listed: %s", names).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /** A store that cannot tell never says yes. */
  @Test
  void a_writer_was_open_to_the_reads_that_did_not_see_what_it_commits() throws Exception {
    Set<String> before = open();
    Connection writer = openEnqueue("1");
    openEnqueue("2").commit();
    Set<String> listed = listedSince(before);
    boolean tells = relay.wereOpen(listed);
    int seen = 1;
    for (int round = 0; round < 100; round++) {
      assertThat(readAll(relay)).hasSize(seen);
      assertThat(relay.wereOpen(listed)).as("round %d", round).isEqualTo(tells && seen == 1);
      if (round == 50) {
        writer.commit();
        seen = 2;
      }
    }
  }

  @Test
  void an_open_enqueue_is_listed_until_it_commits() throws Exception {
    Set<String> before = open();
    Connection connection = openEnqueue("1");
    Set<String> listed = listedSince(before);
    listed.retainAll(open());
    assertThat(listed).isNotEmpty();
    connection.commit();
    awaitGone(listed);
    assertThat(texts(readAll(relay))).containsExactly("1");
  }

  @Test
  void an_open_enqueue_is_listed_until_it_is_rolled_back() throws Exception {
    Set<String> before = open();
    Connection connection = openEnqueue("1");
    Set<String> listed = listedSince(before);
    assertThat(listed).isNotEmpty();
    connection.rollback();
    awaitGone(listed);
  }

  @Test
  void an_open_enqueue_is_listed_until_its_session_dies() throws Exception {
    Set<String> before = open();
    Connection connection = openEnqueue("1");
    Set<String> listed = listedSince(before);
    assertThat(listed).isNotEmpty();
    environment().kill(connection);
    awaitGone(listed);
  }

  @Test
  void every_open_enqueue_is_listed() throws Exception {
    Set<String> before = open();
    List<Connection> connections = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      connections.add(openEnqueue("text " + i));
    }
    Set<String> listed = listedSince(before);
    assertThat(listed).hasSizeGreaterThanOrEqualTo(5);
    connections.get(2).commit();
    assertThat(texts(readAll(relay))).containsExactly("text 2");
    for (Connection connection : connections) {
      connection.commit();
    }
    awaitGone(listed);
    assertThat(readAll(relay)).hasSize(5);
  }

  @Test
  void the_next_enqueue_of_a_session_has_another_name() throws Exception {
    Connection connection = begin();
    Set<String> all = new HashSet<>();
    int names = 0;
    for (int i = 0; i < 3; i++) {
      Set<String> before = open();
      store().append(connection, List.of(unkeyed("text")));
      Set<String> listed = listedSince(before);
      assertThat(listed).isNotEmpty();
      all.addAll(listed);
      names += listed.size();
      assertThat(all).hasSize(names);
      connection.commit();
      awaitGone(listed);
    }
  }

  @Test
  void a_transaction_that_has_enqueued_nothing_is_not_waited_for() throws Exception {
    Set<String> before = open();
    Connection idle = begin();
    assertThat(idle.isReadOnly()).isFalse();
    Connection connection = openEnqueue("1");
    Set<String> listed = listedSince(before);
    connection.commit();
    awaitGone(listed);
  }

  @Test
  void asking_waits_for_nobody() throws Exception {
    openEnqueue("1");
    try (AutoCloseable lock = environment().lock(LANE)) {
      assertThat(lock).isNotNull();
      assertThat(Crew.within(SOON, this::ask)).isNotNull();
    }
  }
}
