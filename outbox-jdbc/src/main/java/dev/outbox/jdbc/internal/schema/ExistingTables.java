package dev.outbox.jdbc.internal.schema;

import dev.outbox.Claiming;
import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.internal.session.Session;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.RegistryStatement;
import dev.outbox.spi.Layout;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * The tables that a database has already: their version and layout, and what they are refused for.
 *
 * <p>Safe for use by many threads; each call is over a connection borrowed for it.
 */
public final class ExistingTables {
  private static final Limits LIMITS = Limits.below(Duration.ofSeconds(15));
  private static final int LOOKS = 20;
  private static final int BETWEEN_LOOKS_MILLIS = 500;

  private final DataSource dataSource;
  private final Sql sql;

  public ExistingTables(DataSource dataSource, Sql sql) {
    this.dataSource = dataSource;
    this.sql = sql;
  }

  /** What tables of another version than this library's need; nothing where there are none. */
  public Optional<String> remedy() {
    OptionalInt version = version();
    return version.isPresent() ? remedy(version.getAsInt()) : Optional.empty();
  }

  private Optional<String> remedy(int version) {
    return SchemaVersion.remedy(version, sql.dialect(), sql.tables());
  }

  private OptionalInt version() {
    return SchemaVersion.of(dataSource, sql.dialect(), sql.tables());
  }

  /** The one row of the meta table. */
  public Layout layout() {
    String meta = meta();
    List<Layout> rows =
        Session.once(dataSource, sql, LIMITS, "read the layout from " + meta, this::layouts);
    if (rows.isEmpty()) {
      throw StoreException.lasting(
          meta
              + " is empty; Schema.builder(dataSource).create() or the DDL resource writes its row",
          null);
    }
    return rows.get(0);
  }

  private List<Layout> layouts(Connection connection) throws SQLException {
    String text = sql.statements().text(RegistryStatement.LAYOUT);
    return sql.ask(connection, text, Map.of(), 0, ExistingTables::layout);
  }

  private static Layout layout(ResultSet row) throws SQLException {
    return new Layout(
        row.getInt("schema_version"),
        row.getInt("lanes"),
        Claiming.valueOf(row.getString("claiming")),
        row.getInt("clusters"),
        row.getInt("cluster_id"));
  }

  /**
   * Brings tables of an older version to that of this library, step by step.
   *
   * @throws IllegalStateException when there are no tables, when they are of a newer version, when
   *     relays live on them, or when they are not as they should be after the last step
   */
  public void upgrade() {
    int version =
        version()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        meta() + " is missing or empty; create() makes the tables"));
    if (version > SchemaVersion.CURRENT) {
      refuse(remedy(version));
    }
    if (version < SchemaVersion.CURRENT) {
      refuseLiveRelays();
      steps(version).forEach(step -> step.apply(dataSource));
      refuseDifferences();
    }
  }

  /**
   * A step skips a statement of which a part had been done, and with it all its other parts. An
   * index that is missing may just be built by another process, which had dropped it.
   */
  private void refuseDifferences() {
    Ddl ddl = Ddl.of(sql.dialect(), sql.tables(), layout(), List.of());
    List<String> wrong = differences(ddl);
    for (int look = 1; look < LOOKS && lackIndexesOnly(wrong); look++) {
      Ddl.pause(BETWEEN_LOOKS_MILLIS);
      wrong = differences(ddl);
    }
    if (!wrong.isEmpty()) {
      throw new IllegalStateException(
          "the steps of the upgrade have run, but %s. Change that to match dev/outbox/jdbc/ddl/%s/outbox.sql before a relay starts"
              .formatted(String.join("; ", wrong), sql.dialect().name()));
    }
  }

  /** Of the tables that may be read: who changes tables need not read them all. */
  private List<String> differences(Ddl ddl) {
    return ddl.verify(dataSource).stream()
        .filter(each -> !SchemaCheck.isOfUnreadable(each))
        .toList();
  }

  private static boolean lackIndexesOnly(List<String> wrong) {
    return !wrong.isEmpty() && wrong.stream().allMatch(each -> each.contains(" has no index on "));
  }

  /** What {@link #upgrade} would run; empty when it would run nothing, or refuse the version. */
  public String upgradeDdl() {
    return steps(version().orElse(SchemaVersion.CURRENT))
        .map(step -> step.ddl().text())
        .collect(Collectors.joining("\n"));
  }

  private Stream<UpgradeStep> steps(int version) {
    return IntStream.rangeClosed(version + 1, SchemaVersion.CURRENT)
        .mapToObj(step -> new UpgradeStep(Ddl.upgrade(sql.dialect(), sql.tables(), step), step));
  }

  private static void refuse(Optional<String> remedy) {
    remedy.ifPresent(
        text -> {
          throw new IllegalStateException(text);
        });
  }

  private void refuseLiveRelays() {
    List<String> live = liveRelays();
    // once another process has upgraded the tables, they are its new ones
    if (!live.isEmpty() && version().orElse(0) < SchemaVersion.CURRENT) {
      throw new IllegalStateException(
          "relays of this version use the tables: %s. Close them first; one that died counts until its lease ends"
              .formatted(String.join(", ", live)));
    }
  }

  /** Their names, from tables of any version. */
  private List<String> liveRelays() {
    return Session.once(
        dataSource,
        sql,
        LIMITS,
        "list live relays",
        connection ->
            sql.query(
                connection,
                "SELECT relay FROM {relay} WHERE live_until > {now} ORDER BY relay",
                Map.of(),
                row -> row.getString("relay")));
  }

  /**
   * Lets no tables of another version pass.
   *
   * @throws IllegalStateException when there are any
   */
  public void refuseOtherVersion() {
    refuse(remedy());
  }

  /**
   * Lets no other layout than {@code asked} pass, over a connection to tables that have all their
   * columns.
   *
   * @throws IllegalStateException when there is one
   */
  public void refuseOther(Layout asked, Connection connection) throws SQLException {
    for (Layout existing : layouts(connection)) {
      refuse(asked, existing);
    }
  }

  /**
   * Lets no tables of another version or another layout than {@code asked} pass.
   *
   * @throws IllegalStateException when there are any
   */
  public void refuseOther(Layout asked) {
    OptionalInt version = version();
    if (version.isPresent()) {
      refuse(remedy(version.getAsInt()));
      refuse(asked, layout());
    }
  }

  private void refuse(Layout asked, Layout existing) {
    if (!existing.equals(asked)) {
      boolean isOffline = !existing.hasPeers() && !asked.hasPeers();
      throw new IllegalStateException(
          "%s has %s; this Schema asks for %s. Give it what is there, or %s"
              .formatted(
                  meta(),
                  words(existing),
                  words(asked),
                  isOffline
                      ? "change the tables offline as \"Change the number of lanes\" of docs/operate-failover.md shows"
                      : "make new tables with another tablePrefix(..) or schema(..), as \"Version 2 to 3\" of docs/upgrading.md shows"));
    }
  }

  private static String words(Layout layout) {
    String words =
        "schema version %d, %d lanes, claiming by %s"
            .formatted(layout.schemaVersion(), layout.lanes(), layout.claiming());
    return layout.hasPeers()
        ? words + ", cluster %d of %d".formatted(layout.cluster(), layout.clusters())
        : words;
  }

  private String meta() {
    return sql.tables().name("meta");
  }
}
