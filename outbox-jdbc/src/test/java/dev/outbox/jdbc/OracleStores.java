package dev.outbox.jdbc;

import dev.outbox.jdbc.dialect.OracleDialect;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * Stores on Oracle's text, on H2 in Oracle mode or on a server: one set of tables for each setting,
 * emptied between cases.
 */
final class OracleStores implements AutoCloseable {
  /** What H2 lacks and the statements use. */
  static final List<String> ALIASES =
      List.of(
          "CREATE ALIAS SYS_CONTEXT FOR 'dev.outbox.jdbc.OracleAliases.context'",
          "CREATE ALIAS SYS_EXTRACT_UTC FOR 'dev.outbox.jdbc.OracleAliases.utc'",
          "CREATE ALIAS NUMTODSINTERVAL FOR 'dev.outbox.jdbc.OracleAliases.interval'",
          "CREATE ALIAS TO_CLOB FOR 'dev.outbox.jdbc.OracleAliases.clob'",
          "CREATE SCHEMA DBMS_LOB",
          "CREATE ALIAS DBMS_LOB.GETLENGTH FOR 'dev.outbox.jdbc.OracleAliases.length'");

  private static final List<String> EMPTY =
      List.of(
          "DELETE FROM %s",
          "DELETE FROM %s_parked",
          "DELETE FROM %s_delayed",
          "DELETE FROM %s_dead",
          "DELETE FROM %s_relay",
          "DELETE FROM %s_topic",
          "DELETE FROM %s_dedupe",
          "UPDATE %s_lane SET owner = NULL, lease_until = NULL, epoch = 0, floor = 0, settles = 0,"
              + " takeovers = 0, suspect_id = NULL, suspect_count = 0");

  private final Sandbox sandbox;
  private final boolean h2;
  private final DataSource applications;
  private final FaultyDataSource sessions;
  private final Map<StoreSetting, String> prefixes = new HashMap<>();

  OracleStores(Database database) throws SQLException {
    this.sandbox = database.sandbox();
    this.h2 = database == Database.H2_ORACLE;
    this.applications = sandbox.pool(20);
    // no pool for H2, as in JdbcStores: it would lend a session that a case has ended again
    this.sessions = new FaultyDataSource(h2 ? sandbox.dataSource() : sandbox.pool(20));
    if (h2) {
      run(ALIASES);
    }
  }

  /** The store for one case, empty. */
  StoreEnvironment open(StoreSetting setting) throws SQLException {
    String prefix = prefixes.get(setting);
    if (prefix == null) {
      prefix = create(setting, "outbox" + prefixes.size());
      prefixes.put(setting, prefix);
    } else {
      empty(setting, prefix);
    }
    return new OracleEnvironment(sandbox, applications, sessions, prefix, setting);
  }

  private String create(StoreSetting setting, String prefix) throws SQLException {
    Schema.Builder builder =
        Schema.builder(applications)
            .dialect(new OracleDialect())
            .tablePrefix(prefix)
            .claiming(setting.claiming())
            .lanes(setting.lanes())
            .clusters(setting.clusters())
            .with(Schema.Part.DEDUPE);
    if (setting.archives()) {
      builder.with(Schema.Part.ARCHIVE);
    }
    if (h2) {
      createOnH2(applications, builder.build());
    } else {
      builder.create();
    }
    return prefix;
  }

  /** Makes the tables of Oracle's DDL on H2, which has the {@link #ALIASES}. */
  static void createOnH2(DataSource dataSource, Schema schema) throws SQLException {
    run(dataSource, Arrays.asList(forH2(schema.ddl()).split(";\\s*\n")));
  }

  /** All that is changed in the DDL for H2: what its Oracle mode cannot parse. */
  private static String forH2(String ddl) {
    return ddl.replace(" ON NULL AS IDENTITY", " AS IDENTITY")
        .replace("CACHE 1000 ORDER)", "CACHE 1)")
        .replace(" USING INDEX INITRANS 8", "")
        .replace(" INITRANS 8", "");
  }

  private void empty(StoreSetting setting, String prefix) throws SQLException {
    run(EMPTY.stream().map(sql -> sql.formatted(prefix)).toList());
    if (setting.archives()) {
      run(List.of("DELETE FROM " + prefix + "_archive"));
    }
    if (setting.clusters().count() > 1) {
      run(List.of("DELETE FROM " + prefix + "_beat", "DELETE FROM " + prefix + "_takeover"));
    }
  }

  private void run(List<String> statements) throws SQLException {
    run(applications, statements);
  }

  static void run(DataSource dataSource, List<String> statements) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  @Override
  public void close() {
    sandbox.close();
  }
}
