package dev.outbox.tck.enqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Outbox;
import dev.outbox.Transactions;
import dev.outbox.message.MessageId;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.tck.fixture.Wakes;
import java.io.IOException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The outbox takes part in transactions that others run. */
public abstract class JoiningCases extends RelayCases {
  protected JoiningCases(Opener opener) {
    super(opener);
  }

  private Wakes wakes() {
    Wakes wakes = new Wakes();
    closing(store().wakeup().subscribe(wakes));
    return wakes;
  }

  @Test
  void work_is_committed_and_wakes() throws Exception {
    Wakes wakes = wakes();
    Transactions.run(
        environment().applications(),
        outbox(),
        connection -> {
          storeLedger().write(connection, "order");
          outbox().enqueue(connection, message("k", "placed"));
          assertThat(wakes.woken).hasSize(0);
        });
    assertThat(wakes.woken).hasSize(1);
    started("a").drainNow();
    assertThat(texts()).containsExactly("placed");
    assertThat(storeLedger().entries()).containsExactly("order");
  }

  @Test
  void a_call_returns_its_result() throws Exception {
    MessageId id =
        Transactions.call(
            environment().applications(),
            outbox(),
            connection -> outbox().enqueue(connection, message("k", "placed")));
    started("a").drainNow();
    assertThat(broker.ids()).containsExactly(id);
  }

  @Test
  void an_exception_rolls_back_and_is_thrown_on_and_wakes_nobody() throws Exception {
    Wakes wakes = wakes();
    assertThatThrownBy(
            () ->
                Transactions.run(
                    environment().applications(),
                    outbox(),
                    connection -> {
                      storeLedger().write(connection, "order");
                      outbox().enqueue(connection, message("k", "placed"));
                      throw new IOException("no paper");
                    }))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("no paper");
    assertThat(wakes.woken).hasSize(0);
    assertThat(tableCounts()).isEqualTo(TableCounts.EMPTY);
    assertThat(storeLedger().entries()).isEmpty();
  }

  @Test
  void a_connection_comes_back_as_it_was_lent() throws Exception {
    try (Connection lent = environment().applications().getConnection()) {
      boolean autoCommit = lent.getAutoCommit();
      Transactions.run(environment().applications(), outbox(), connection -> {});
      assertThat(lent.getAutoCommit()).isEqualTo(autoCommit);
    }
  }

  @Test
  void a_joined_outbox_finds_the_transaction_and_wakes_after_its_commit() throws Exception {
    Wakes wakes = wakes();
    Connection connection = begin();
    List<Runnable> afterCommit = new ArrayList<>();
    Outbox.Joined joined =
        outbox().join(Transactions.of(work -> work.accept(connection), afterCommit::add));
    MessageId first = joined.enqueue(message("k", "k 0"));
    List<MessageId> more = joined.enqueue(List.of(message("k", "k 1"), message("k", "k 2")));
    assertThat(wakes.woken).hasSize(0);
    connection.commit();
    afterCommit.forEach(Runnable::run);
    assertThat(wakes.woken.size()).isPositive();
    started("a").drainNow();
    assertThat(broker.ids()).containsExactly(first, more.get(0), more.get(1));
  }
}
