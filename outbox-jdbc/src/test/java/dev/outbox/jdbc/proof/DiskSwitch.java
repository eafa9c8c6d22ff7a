package dev.outbox.jdbc.proof;

import dev.outbox.testkit.database.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * A disk that is full at the flip of a switch: every message that is to be written, moved or
 * deleted is refused with the database's own error. Leases stand in another place and can be
 * renewed.
 *
 * <p>Safe for use by many threads.
 */
final class DiskSwitch {
  private static final List<String> TABLES = List.of("outbox", "outbox_parked", "outbox_dead");
  private static final String POSTGRES_CHECK =
      """
      CREATE FUNCTION proof_disk_check() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM proof_disk WHERE is_full = 1) THEN
          RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
        END IF;
        RETURN NULL;
      END $$
      """;
  private static final String POSTGRES_TRIGGER =
      """
      CREATE TRIGGER proof_disk_%1$s BEFORE %2$s ON %1$s
      FOR EACH STATEMENT EXECUTE FUNCTION proof_disk_check()
      """;
  private static final String MYSQL_TRIGGER =
      """
      CREATE TRIGGER proof_disk_%2$s_%1$s BEFORE %2$s ON %1$s FOR EACH ROW
      BEGIN
        IF (SELECT is_full FROM proof_disk) = 1 THEN
          SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = %3$d, MESSAGE_TEXT = 'The table is full';
        END IF;
      END
      """;
  private static final int TABLE_FULL = 1114;
  private static final int DISK_FULL = 1021;

  private final DataSource dataSource;

  private DiskSwitch(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** Puts the switch before the outbox tables of a PostgreSQL, MySQL or MariaDB; it is off. */
  static DiskSwitch install(Database database, DataSource dataSource) throws SQLException {
    DiskSwitch disk = new DiskSwitch(dataSource);
    disk.run(List.of("CREATE TABLE proof_disk (is_full INT)", "INSERT INTO proof_disk VALUES (0)"));
    disk.run(database == Database.POSTGRES ? postgres() : mysql());
    return disk;
  }

  private static List<String> postgres() {
    List<String> statements = new ArrayList<>(List.of(POSTGRES_CHECK));
    for (String table : TABLES) {
      statements.add(POSTGRES_TRIGGER.formatted(table, "INSERT OR DELETE"));
    }
    return statements;
  }

  private static List<String> mysql() {
    List<String> statements = new ArrayList<>();
    for (String table : TABLES) {
      statements.add(MYSQL_TRIGGER.formatted(table, "INSERT", TABLE_FULL));
      statements.add(MYSQL_TRIGGER.formatted(table, "DELETE", DISK_FULL));
    }
    return statements;
  }

  void fill() throws SQLException {
    run(List.of("UPDATE proof_disk SET is_full = 1"));
  }

  void empty() throws SQLException {
    run(List.of("UPDATE proof_disk SET is_full = 0"));
  }

  private void run(List<String> statements) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
