package dev.outbox.jdbc.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.dialect.H2Dialect;
import dev.outbox.jdbc.dialect.MariaDbDialect;
import dev.outbox.jdbc.dialect.MySqlDialect;
import dev.outbox.jdbc.dialect.OracleDialect;
import dev.outbox.jdbc.dialect.PostgresDialect;
import java.io.EOFException;
import java.nio.charset.CharacterCodingException;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;

class FaultsTest {
  @Test
  void an_answer_that_was_cut_off_is_a_lost_connection() {
    SQLException cut = new SQLException("Can not read response from server.", "S1000");
    cut.initCause(new EOFException("Expected to read 169 bytes, read 134 bytes"));

    StoreException told = told(cut, new MySqlDialect());

    assertThat(told.isTransient()).isTrue();
    assertThat(told.isOfItsRows()).isFalse();
  }

  @Test
  void what_the_server_refuses_is_not_a_lost_connection_for_what_is_behind_it() {
    SQLException refused = new SQLException("a row is refused", "S1000");
    refused.initCause(new IllegalStateException("inside of the driver"));

    assertThat(told(refused, new MySqlDialect()).isOfItsRows()).isTrue();
  }

  @Test
  void a_text_that_cannot_be_read_is_not_a_lost_connection() {
    SQLException unreadable = new SQLException("Invalid character data was found.", "22000");
    unreadable.initCause(new CharacterCodingException());

    assertThat(told(unreadable, new PostgresDialect()).isOfItsRows()).isTrue();
  }

  @Test
  void a_session_of_h2_that_is_ended_beside_a_statement_is_a_lost_connection() {
    SQLException inside = new SQLException("General error: NullPointerException", "HY000", 50000);

    assertThat(told(inside, new H2Dialect()).isOfItsRows()).isFalse();
  }

  @Test
  void another_server_behind_one_connection_of_mariadb_is_a_lost_connection() {
    SQLException other =
        new SQLTransientConnectionException(
            "Driver has reconnect connection after a communications link failure", "25S03");

    StoreException told = told(other, new MariaDbDialect());

    assertThat(told.isTransient()).isTrue();
    assertThat(told.isOfItsRows()).isFalse();
    assertThat(new MariaDbDialect().faults().of(other)).isEqualTo(Fault.CONNECTION);
  }

  /** Its driver takes it for a fault that may pass. */
  @Test
  void a_commit_that_oracle_refuses_is_of_its_rows() {
    SQLException refused =
        new SQLTransactionRollbackException(
            "ORA-02091: transaction rolled back ORA-02291: integrity constraint (A.B) violated",
            "40000",
            2091);

    assertThat(told(refused, new OracleDialect()).isOfItsRows()).isTrue();
  }

  private static StoreException told(SQLException refusal, Dialect dialect) {
    Faults faults = Faults.behind(refusal, dialect);
    assertThat(faults).isNotNull();
    return faults.toException("read");
  }
}
