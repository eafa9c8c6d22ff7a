package dev.outbox.tck.enqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.InMemoryStore;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is refused leaves nothing behind, and the caller's transaction goes on. */
public abstract class BadInputCases extends RelayCases {
  protected BadInputCases(Opener opener) {
    super(opener);
  }

  private void assertRefused(BadInput input, Connection connection) {
    assertThatThrownBy(() -> input.attempt().on(new BadInput.Given(store(), outbox(), connection)))
        .as(input.name())
        .isExactlyInstanceOf(input.exception())
        .satisfies(
            thrown ->
                assertThat(thrown.getMessage())
                    .as(input.name() + ": " + input.text())
                    .matches(input::matches));
  }

  void refusesAndGoesOn(List<BadInput> inputs) throws Exception {
    for (BadInput input : inputs) {
      try (Connection connection = begin()) {
        storeLedger().write(connection, input.name());
        assertRefused(input, connection);
        assertThat(connection.isClosed()).isFalse();
        assertThat(connection.getAutoCommit()).isFalse();
        outbox().enqueue(connection, unkeyed(input.name()));
        connection.commit();
      }
    }
    TableCounts tableCounts = tableCounts();
    assertThat(tableCounts.ready()).isEqualTo(inputs.size());
    assertThat(tableCounts.delayed())
        .isEqualTo(TableCounts.isWithoutSql(environment()) ? inputs.size() : 0);
    started("a").drainNow();
    assertThat(texts())
        .containsExactlyInAnyOrderElementsOf(inputs.stream().map(BadInput::name).toList());
    assertThat(storeLedger().entries())
        .containsExactlyInAnyOrderElementsOf(inputs.stream().map(BadInput::name).toList());
  }

  @Test
  void bad_input_is_refused_and_the_transaction_goes_on() throws Exception {
    refusesAndGoesOn(BadInput.messages());
  }

  @Test
  void an_autocommit_connection_is_refused() throws Exception {
    try (Connection connection = environment().applications().getConnection()) {
      connection.setAutoCommit(true);
      assertRefused(BadInput.AUTOCOMMIT, connection);
      connection.setAutoCommit(false);
      outbox().enqueue(connection, unkeyed("good"));
      connection.commit();
    }
    assertThat(tableCounts()).isEqualTo(new TableCounts(1, 0, 0, 0));
  }

  @Test
  void a_closed_connection_is_refused() throws Exception {
    Connection connection = begin();
    connection.close();
    assertRefused(BadInput.CLOSED, connection);
    assertThat(tableCounts()).isEqualTo(TableCounts.EMPTY);
  }

  @Test
  void a_read_only_connection_is_refused() throws Exception {
    try (Connection connection = environment().applications().getConnection()) {
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      if (connection.isReadOnly()) {
        assertRefused(BadInput.READ_ONLY, connection);
      }
      connection.rollback();
      connection.setAutoCommit(true);
      connection.setReadOnly(false);
    }
    assertThat(tableCounts()).isEqualTo(TableCounts.EMPTY);
  }

  @Test
  void a_connection_of_another_product_is_refused() throws Exception {
    try (Connection connection = InMemoryStore.create().begin()) {
      assertRefused(BadInput.OTHER_PRODUCT, connection);
      connection.commit();
    }
    assertThat(tableCounts()).isEqualTo(TableCounts.EMPTY);
  }

  /** Over tables that are claimed by rows. */
  public abstract static class OverRows extends BadInputCases {
    protected OverRows(Opener opener) {
      super(opener);
    }

    @Override
    protected StoreSetting setting() {
      return StoreSetting.rows();
    }

    @Test
    void a_key_is_refused_and_the_transaction_goes_on() throws Exception {
      refusesAndGoesOn(BadInput.overRows());
    }
  }
}
