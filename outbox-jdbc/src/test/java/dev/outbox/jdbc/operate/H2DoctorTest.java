package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.OutboxException;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.jdbc.TamperedDataSource;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H2DoctorTest extends DoctorCases {
  H2DoctorTest() {
    super(Database.H2);
  }

  @Override
  Question question() {
    return new Question("datetime_precision", "the precision of the times");
  }

  @Test
  void a_database_opened_for_reading_is_reported(@TempDir Path folder) {
    String url = "jdbc:h2:file:" + folder.resolve("outbox");
    Schema.builder(Clinic.dataSource(url, clinic.sandbox())).create();

    assertFailure(
        clinic.examine(Clinic.dataSource(url + ";ACCESS_MODE_DATA=r", clinic.sandbox())),
        "read-only",
        "primary");
  }

  @Test
  void a_file_that_is_written_after_the_commit_is_reported(@TempDir Path folder)
      throws SQLException {
    String url = "jdbc:h2:file:" + folder.resolve("outbox");
    DataSource late = Clinic.dataSource(url, clinic.sandbox());
    Schema.builder(late).create();

    assertOnly(clinic.examine(late), "commits-not-durable");
    assertWarning(
        clinic.examine(late), "commits-not-durable", "WRITE_DELAY is 500", ";WRITE_DELAY=0");
    DataSource atOnce = Clinic.dataSource(url + ";WRITE_DELAY=0", clinic.sandbox());
    assertThat(clinic.examine(atOnce)).isEmpty();
    try (Connection connection = atOnce.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN");
    }
    assertOnly(clinic.examine(late), "commits-not-durable"); // H2 keeps the 0 and ignores it
  }

  @Test
  void times_without_microseconds_are_reported() throws SQLException {
    clinic.run(
        "ALTER TABLE outbox_lane ALTER COLUMN lease_until SET DATA TYPE timestamp(0) with time zone");

    assertFailure(clinic.examine(), "time-precision", "OUTBOX_LANE.LEASE_UNTIL");
  }

  @Test
  void texts_that_ignore_case_are_reported() {
    String url =
        clinic.sandbox().url().replace(clinic.sandbox().name(), clinic.sandbox().name() + "i");
    DataSource lax = Clinic.dataSource(url + ";IGNORECASE=TRUE", clinic.sandbox());
    Schema.builder(lax).create();

    assertOnly(clinic.examine(lax), "collation-not-binary");
    assertFailure(clinic.examine(lax), "collation-not-binary", "VARCHAR_IGNORECASE");
  }

  @Test
  void limits_that_do_not_stay_are_reported() {
    DataSource forgetful =
        TamperedDataSource.rewriting(clinic.dataSource(), "SET LOCK_TIMEOUT", "SELECT ?");

    assertThat(clinic.examine(forgetful)).isNotEmpty();
    assertFailure(clinic.examine(forgetful), "limits-forced", "lock_wait is 10000");
  }

  @Test
  void a_relay_does_not_start_where_it_cannot_work_and_says_all_that_is_wrong()
      throws SQLException {
    JdbcStore store = JdbcStore.create(clinic.dataSource());
    clinic.run("DELETE FROM outbox_lane WHERE lane = 3", "DROP TABLE outbox_parked");

    assertThatThrownBy(() -> Relay.builder(store, Publisher.blocking(envelope -> {})).start())
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining("lanes-wrong: ")
        .hasMessageContaining("tables-wrong: table outbox_parked is missing")
        .hasMessageContaining("Schema.builder(dataSource).create()");
  }
}
