package dev.outbox.tck.relay.row;

import static dev.outbox.tck.fixture.FaultyStore.Fault.AFTER;
import static dev.outbox.tck.fixture.FaultyStore.Fault.BEFORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.DeadLetter;
import dev.outbox.StoreException;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Publishers write in the claim's transaction, message by message. */
public abstract class EffectCases extends RowRelayCases {
  protected EffectCases(Opener opener) {
    super(opener);
  }

  private Publisher toLedger(List<String> sent) {
    return Publisher.transactional(
        (envelope, transaction) -> {
          if (envelope.topic().equals(TOPIC)) {
            sent.add(envelope.payload().text());
            storeLedger().write(transaction, envelope.payload().text());
          }
        });
  }

  @Test
  void an_effect_and_the_removal_commit_together() throws Exception {
    List<String> sent = new ArrayList<>();
    commitNumbered(9);
    started(relay("a", toLedger(sent))).drainNow();
    assertThat(tableCounts().ready()).isZero();
    assertThat(storeLedger().entries()).isEqualTo(numbers("u", 9));
    assertThat(sent).hasSize(9);
  }

  @Test
  void a_crash_before_the_commit_leaves_neither() throws Exception {
    List<String> sent = new ArrayList<>();
    commitNumbered(3);
    ManualRelay crashing = started(relay("a", toLedger(sent)));
    store().failSettles(BEFORE);
    assertThatThrownBy(crashing::drainNow).isInstanceOf(StoreException.class);
    crashing.crash();
    assertThat(sent).hasSize(3);
    assertThat(tableCounts()).isEqualTo(new TableCounts(3, 0, 0, 0));
    started(relay("b", toLedger(sent))).drainNow();
    assertThat(sent).hasSize(6);
    assertThat(storeLedger().entries()).isEqualTo(numbers("u", 3));
  }

  @Test
  void a_commit_whose_reply_was_lost_has_its_effect_once() throws Exception {
    List<String> sent = new ArrayList<>();
    commitNumbered(3);
    ManualRelay relay = started(relay("a", toLedger(sent)));
    store().failSettles(AFTER);
    assertThatThrownBy(relay::drainNow).isInstanceOf(StoreException.class);
    relay.drainNow();
    assertThat(sent).hasSize(3);
    assertThat(storeLedger().entries()).isEqualTo(numbers("u", 3));
  }

  @Test
  void an_exception_in_one_effect_undoes_only_that() throws Exception {
    List<String> failed = new ArrayList<>();
    Publisher publisher =
        Publisher.transactional(
            (envelope, transaction) -> {
              if (envelope.topic().equals(TOPIC)) {
                storeLedger().write(transaction, envelope.payload().text());
                if (envelope.payload().text().equals("u 2") && failed.isEmpty()) {
                  failed.add("u 2");
                  throw new IllegalStateException("no room");
                }
              }
            });
    commitNumbered(5);
    ManualRelay relay = started(relay("a", publisher));
    relay.drainNow();
    assertThat(tableCounts().parked()).isEqualTo(1);
    assertThat(countingListener.delivered).hasValue(4);
    pass(REST);
    relay.drainNow();
    assertThat(tableCounts().parked()).isZero();
    assertThat(storeLedger().entries()).isEqualTo(numbers("u", 5));
  }

  @Test
  void a_statement_that_the_database_refuses_undoes_only_its_own_effect() throws Exception {
    if (TableCounts.isWithoutSql(environment())) {
      return;
    }
    Publisher publisher =
        Publisher.transactional(
            (envelope, transaction) -> {
              storeLedger().write(transaction, envelope.payload().text());
              if (envelope.payload().text().equals("u 2")) {
                transaction.createStatement().execute("INSERT INTO no_such_table VALUES (1)");
              }
            });
    commitNumbered(5);
    started(relay("a", publisher)).drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 1, 0, 0));
    assertThat(storeLedger().entries()).containsExactly("u 0", "u 1", "u 3", "u 4");
  }

  /** PostgreSQL gives up a transaction of which a statement failed; the others go on with it. */
  @Test
  void a_refused_statement_that_is_caught_fails_its_own_message_or_none() throws Exception {
    if (TableCounts.isWithoutSql(environment())) {
      return;
    }
    Publisher publisher =
        Publisher.transactional(
            (envelope, transaction) -> {
              storeLedger().write(transaction, envelope.payload().text());
              if (envelope.payload().text().equals("u 2")) {
                try (Statement statement = transaction.createStatement()) {
                  statement.execute("INSERT INTO no_such_table VALUES (1)");
                } catch (SQLException caught) {
                  return;
                }
              }
            });
    commitNumbered(5);
    ManualRelay relay = started(relay("a", publisher));
    for (int look = 0; look < 5 && tableCounts().ready() > 0; look++) {
      relay.drainNow();
      pass(Duration.ofSeconds(1)); // as a relay rests after a look in vain
    }
    assertThat(tableCounts().ready()).isZero();
    assertThat(storeLedger().entries()).contains("u 0", "u 1", "u 3", "u 4");
    assertThat(tableCounts().parked()).isEqualTo(5 - storeLedger().entries().size());
  }

  @Test
  void a_rejected_effect_is_undone_and_its_message_buried() throws Exception {
    Publisher publisher =
        Publisher.transactional(
                (envelope, transaction) -> {
                  if (envelope.topic().equals(TOPIC)) {
                    storeLedger().write(transaction, envelope.payload().text());
                    if (envelope.payload().text().equals("u 1")) {
                      throw new IllegalArgumentException("no such account");
                    }
                  }
                })
            .classify(cause -> Ack.rejected(String.valueOf(cause.getMessage())));
    commitNumbered(3);
    started(relay("a", publisher)).drainNow();
    assertThat(dead()).extracting(DeadLetter::error).containsExactly("no such account");
    assertThat(storeLedger().entries()).containsExactly("u 0", "u 2");
  }

  @Test
  void an_effect_of_a_broken_transaction_leaves_neither() throws Exception {
    List<String> sent = new ArrayList<>();
    Publisher publisher =
        Publisher.transactional(
            (envelope, transaction) -> {
              sent.add(envelope.payload().text());
              storeLedger().write(transaction, envelope.payload().text());
              throw new StackOverflowError("too deep");
            });
    commitNumbered(1);
    started(relay("a", publisher)).drainNow();
    assertThat(sent).hasSize(1);
    assertThat(storeLedger().entries()).isEmpty();
    assertThat(tableCounts().ready() + tableCounts().parked()).isEqualTo(1);
  }

  @Test
  void a_transaction_that_ended_in_the_middle_of_a_flight_leaves_neither() throws Exception {
    List<String> sent = new ArrayList<>();
    Publisher deadlocked =
        Publisher.transactional(
            (envelope, transaction) -> {
              if (envelope.topic().equals(TOPIC)) {
                storeLedger().write(transaction, envelope.payload().text());
                sent.add(envelope.payload().text());
                if (sent.size() == 2) {
                  // as MySQL and H2 do with the victim of a deadlock
                  transaction.rollback();
                  throw new SQLTransactionRollbackException("deadlock", "40001");
                }
              }
            });
    commitNumbered(5);
    ManualRelay relay = started(relay("a", deadlocked));
    assertThatThrownBy(relay::drainNow).isInstanceOf(StoreException.class);
    assertThat(tableCounts()).isEqualTo(new TableCounts(5, 0, 0, 0));
    relay.drainNow();
    assertThat(tableCounts().ready() + tableCounts().parked()).isZero();
    assertThat(storeLedger().entries()).isEqualTo(numbers("u", 5));
  }

  @Test
  void a_publisher_that_ends_the_transaction_and_reports_a_delivery_is_told() throws Exception {
    Publisher undoing = Publisher.transactional((envelope, transaction) -> transaction.rollback());
    commitNumbered(3);
    ManualRelay relay = started(relay("a", undoing));
    for (int look = 0; look < 2; look++) {
      assertThatThrownBy(relay::drainNow)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("the claim's transaction ended too early");
    }
    assertThat(tableCounts()).isEqualTo(new TableCounts(3, 0, 0, 0));
    assertThat(countingListener.delivered).hasValue(0);
  }

  /** Its commit has removed all that was claimed; what came later is undone. */
  @Test
  void a_publisher_that_commits_is_told_and_has_no_effect_in_another_transaction()
      throws Exception {
    Publisher committing =
        Publisher.transactional(
            (envelope, transaction) -> {
              if (envelope.topic().equals(TOPIC)) {
                storeLedger().write(transaction, envelope.payload().text());
                if (envelope.payload().text().equals("u 1")) {
                  transaction.commit();
                }
              }
            });
    commitNumbered(5);
    ManualRelay relay = started(relay("a", committing));
    assertThatThrownBy(relay::drainNow)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("the claim's transaction ended too early");
    assertThat(tableCounts().ready() + tableCounts().parked() + tableCounts().dead()).isZero();
    assertThat(storeLedger().entries()).containsExactly("u 0", "u 1");
    commit(unkeyed("u 5"));
    relay.drainNow();
    assertThat(storeLedger().entries()).contains("u 5");
  }

  @Test
  void a_message_that_ends_its_transaction_each_time_stops_no_other() throws Exception {
    Publisher publisher =
        Publisher.transactional(
            (envelope, transaction) -> {
              if (envelope.topic().equals(TOPIC)) {
                storeLedger().write(transaction, envelope.payload().text());
                if (envelope.payload().text().equals("u 1")) {
                  transaction.rollback();
                }
              }
            });
    commitNumbered(5);
    ManualRelay relay = started(relay("a", publisher));
    for (int look = 0; look < 10 && tableCounts().ready() > 0; look++) {
      try {
        relay.drainNow();
      } catch (StoreException undone) {
        assertThat(undone).hasMessageContaining("the claim's transaction ended too early");
      }
    }
    assertThat(tableCounts().ready()).isZero();
    assertThat(tableCounts().parked()).isEqualTo(1);
    assertThat(tableCounts().dead()).isZero();
    assertThat(storeLedger().entries()).containsExactly("u 0", "u 2", "u 3", "u 4");
  }
}
