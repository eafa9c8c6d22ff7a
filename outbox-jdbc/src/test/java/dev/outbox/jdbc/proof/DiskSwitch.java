package dev.outbox.jdbc.proof;

import dev.outbox.servers.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * A disk that is full at the flip of a switch: first no message can be moved or deleted, then none
 * can be written either; each is refused with the database's own error. Leases are in another place
 * and can be renewed.
 *
 * <p>Safe for use by many threads.
 */
final class DiskSwitch {
  private static final int NEARLY_FULL = 1;
  private static final int FULL = 2;
  private static final List<Refused> REFUSED =
      List.of(
          new Refused("outbox", "INSERT", FULL),
          new Refused("outbox", "DELETE", NEARLY_FULL),
          new Refused("outbox_parked", "INSERT", NEARLY_FULL),
          new Refused("outbox_parked", "DELETE", NEARLY_FULL),
          new Refused("outbox_dead", "INSERT", NEARLY_FULL),
          new Refused("outbox_dead", "DELETE", NEARLY_FULL));
  private static final String POSTGRES_CHECK =
      """
      CREATE FUNCTION proof_disk_check_%1$d() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM proof_disk WHERE fullness >= %1$d) THEN
          RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
        END IF;
        RETURN NULL;
      END $$
      """;
  private static final String POSTGRES_TRIGGER =
      """
      CREATE TRIGGER proof_disk_%2$s_%1$s BEFORE %2$s ON %1$s
      FOR EACH STATEMENT EXECUTE FUNCTION proof_disk_check_%3$d()
      """;
  private static final String MYSQL_TRIGGER =
      """
      CREATE TRIGGER proof_disk_%2$s_%1$s BEFORE %2$s ON %1$s FOR EACH ROW
      BEGIN
        IF (SELECT fullness FROM proof_disk) >= %3$d THEN
          SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = %4$d, MESSAGE_TEXT = 'The table is full';
        END IF;
      END
      """;
  private static final int TABLE_FULL = 1114;
  private static final int DISK_FULL = 1021;

  private final DataSource dataSource;

  /** What a disk of that fullness does not do. */
  private record Refused(String table, String what, int fullness) {}

  private DiskSwitch(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** Puts the switch before the outbox tables of a PostgreSQL, MySQL or MariaDB; it is off. */
  static DiskSwitch install(Database database, DataSource dataSource) throws SQLException {
    DiskSwitch disk = new DiskSwitch(dataSource);
    disk.run(
        List.of("CREATE TABLE proof_disk (fullness INT)", "INSERT INTO proof_disk VALUES (0)"));
    disk.run(database == Database.POSTGRES ? postgres() : mysql());
    return disk;
  }

  private static List<String> postgres() {
    List<String> statements = new ArrayList<>();
    statements.add(POSTGRES_CHECK.formatted(NEARLY_FULL));
    statements.add(POSTGRES_CHECK.formatted(FULL));
    for (Refused each : REFUSED) {
      statements.add(POSTGRES_TRIGGER.formatted(each.table, each.what, each.fullness));
    }
    return statements;
  }

  private static List<String> mysql() {
    List<String> statements = new ArrayList<>();
    for (Refused each : REFUSED) {
      int error = each.what.equals("INSERT") ? TABLE_FULL : DISK_FULL;
      statements.add(MYSQL_TRIGGER.formatted(each.table, each.what, each.fullness, error));
    }
    return statements;
  }

  /** From now on only new messages find room. */
  void nearlyFill() throws SQLException {
    set(NEARLY_FULL);
  }

  void fill() throws SQLException {
    set(FULL);
  }

  void empty() throws SQLException {
    set(0);
  }

  private void set(int fullness) throws SQLException {
    run(List.of("UPDATE proof_disk SET fullness = " + fullness));
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
