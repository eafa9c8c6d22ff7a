package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Claiming;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.OracleDialect;
import dev.outbox.jdbc.internal.schema.Ddl;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.jdbc.shape.AppendSql;
import dev.outbox.jdbc.shape.ByIds;
import dev.outbox.jdbc.shape.BySource;
import dev.outbox.jdbc.shape.BySource.Source;
import dev.outbox.jdbc.shape.ClaimSql;
import dev.outbox.jdbc.shape.DeadSql;
import dev.outbox.jdbc.shape.FenceSql;
import dev.outbox.jdbc.shape.KeyQuery;
import dev.outbox.jdbc.shape.LaneQuery;
import dev.outbox.jdbc.shape.LimitSql;
import dev.outbox.jdbc.shape.LockSql;
import dev.outbox.jdbc.shape.NextIdSql;
import dev.outbox.jdbc.shape.OnceSql;
import dev.outbox.jdbc.shape.PurgeSql;
import dev.outbox.jdbc.shape.SlotSql;
import dev.outbox.jdbc.shape.WritersSql;
import dev.outbox.jdbc.sql.IdStatement;
import dev.outbox.jdbc.sql.LaneStatement;
import dev.outbox.jdbc.sql.Statement;
import dev.outbox.jdbc.sql.Statements;
import dev.outbox.servers.Database;
import dev.outbox.spi.Layout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.shardingsphere.sql.parser.api.CacheOption;
import org.apache.shardingsphere.sql.parser.api.SQLParserEngine;
import org.apache.shardingsphere.sql.parser.exception.SQLParsingException;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every statement for Oracle is parsed by a grammar of Oracle's, that of Apache ShardingSphere. The
 * daily build parses only texts that are not yet listed in {@code digests/oracle-parsed.txt}; the
 * proof parses one of eight of these too, others in every build.
 *
 * <p>{@code -Doutbox.digests=write} parses all of them and writes the list.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(2) // a long row of its own that waits for nobody
final class OracleGrammarTest {
  private static final Tables TABLES = Tables.of("shop", "orders_outbox", 128);

  private static final Dialect DIALECT = new OracleDialect();
  private static final Statements STATEMENTS = Statements.of(DIALECT);

  private static final Path LIST = Path.of("src/test/resources/digests/oracle-parsed.txt");
  private static final Set<String> PARSED_BEFORE = parsedBefore();

  private final Random random = new Random();
  private final SQLParserEngine grammar = new SQLParserEngine("Oracle", new CacheOption(1, 1));

  record Case(String name, String sql) {
    @Override
    public String toString() {
      return name;
    }
  }

  @ParameterizedTest
  @MethodSource
  void a_statement_of_the_dialect_is_oracle(Case statement) {
    parseUnlessListed(statement.sql());
  }

  /**
   * Oracle counts ROWNUM before it skips what is locked, so that a second relay finds nothing, and
   * refuses FETCH FIRST beside FOR UPDATE.
   */
  @ParameterizedTest
  @MethodSource("a_statement_of_the_dialect_is_oracle")
  void what_skips_locked_rows_is_limited_by_fetching_and_not_in_its_text(Case statement) {
    assertThat(limitsWhatItSkips(statement.sql())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id FROM outbox WHERE ROWNUM <= 10 FOR UPDATE SKIP LOCKED",
        "SELECT id FROM outbox ORDER BY id FETCH FIRST 10 ROWS ONLY FOR UPDATE SKIP LOCKED"
      })
  void the_limits_that_others_write_there_are_noticed(String mutant) {
    assertThat(limitsWhatItSkips(mutant)).isTrue();
  }

  private static boolean limitsWhatItSkips(String sql) {
    String text = sql.toUpperCase(Locale.ROOT);
    return text.contains("SKIP LOCKED")
        && (text.contains("ROWNUM") || text.contains("FETCH FIRST") || text.contains("FETCH NEXT"));
  }

  static Stream<Case> a_statement_of_the_dialect_is_oracle() {
    List<Case> cases = new ArrayList<>();
    for (Statement statement : Statements.all()) {
      if (statement != IdStatement.RAISE_NEXT_ID) { // the grammar lacks MODIFY of an identity
        for (String text : texts(STATEMENTS.shape(statement))) {
          String name = statement.file() + "/" + statement.textName();
          cases.add(new Case(name, rendered(text, DIALECT.clock())));
          if (text.contains("{now}")) {
            cases.add(new Case(name + ", bound clock", rendered(text, DIALECT.boundClock())));
          }
        }
      }
    }
    cases.add(new Case("lane of a key", OracleEnvironment.LANE));
    for (String insert : DocsPage.TABLES.statements("insert", Database.ORACLE)) {
      cases.add(new Case("a plain insert", insert));
    }
    for (String kind : List.of("", "-pause", "-resume", "-retry", "-replay", "-discard", "-next")) {
      for (String sql : DocsPage.RUNBOOK.statements("runbook" + kind, Database.ORACLE)) {
        cases.add(new Case("runbook" + kind + ": " + sql, sql));
      }
    }
    return cases.stream().sorted(Comparator.comparing(Case::name));
  }

  private static List<String> texts(Object row) {
    if (row instanceof String text) {
      return List.of(text);
    }
    if (row instanceof AppendSql.Batch batch) {
      return List.of(batch.sql());
    }
    if (row instanceof OnceSql.Batch batch) {
      return List.of(batch.sql());
    }
    if (row instanceof SlotSql.None) {
      return List.of();
    }
    if (row instanceof PurgeSql.LockThenDelete purge) {
      return List.of(purge.lock().sql(), purge.delete());
    }
    if (row instanceof LockSql lock) {
      return List.of(lock.sql());
    }
    if (row instanceof ByIds.EachRow each) {
      return List.of(each.sql());
    }
    if (row instanceof LaneQuery.UnionAll union) {
      return Stream.of(union.arm(), union.arm() + "UNION ALL\n" + union.arm(), union.last())
          .filter(text -> !text.isEmpty())
          .toList();
    }
    if (row instanceof KeyQuery.UnionAll union) {
      return List.of(union.arm(), union.arm() + "UNION ALL\n" + union.arm());
    }
    if (row instanceof FenceSql.EachLane each) {
      return List.of(each.sql());
    }
    if (row instanceof BySource source) {
      return Stream.of(Source.values()).map(source::of).toList();
    }
    if (row instanceof DeadSql dead) {
      return List.of(dead.page(), dead.summaries(), dead.ids(), dead.count());
    }
    if (row instanceof WritersSql.Told told) {
      return List.of(told.sql());
    }
    if (row instanceof NextIdSql.Told told) {
      return List.of(told.sql());
    }
    if (row instanceof ClaimSql.LockThenDelete claim) {
      return Stream.of(texts(claim.lock()), texts(claim.delete())).flatMap(List::stream).toList();
    }
    if (row instanceof LimitSql limits) {
      return List.of(limits.read(), limits.write());
    }
    throw new IllegalArgumentException("not a shape that is for Oracle: " + row);
  }

  private static String rendered(String text, String now) {
    String filled =
        text.replace("{table}", "{outbox}").replace("{column}", "id").replace("{next}", "1001");
    return TABLES.render(filled, now).replaceAll(":\\w+", "?");
  }

  @ParameterizedTest
  @MethodSource
  void a_statement_of_the_ddl_is_oracle(Case statement) {
    parseUnlessListed(statement.sql());
  }

  static Stream<Case> a_statement_of_the_ddl_is_oracle() {
    Ddl fresh =
        Ddl.of(
            DIALECT,
            TABLES,
            new Layout(3, 32, Claiming.LANES),
            List.of("ARCHIVE", "DEDUPE", "RECEIPT"));
    Ddl several =
        Ddl.of(DIALECT, TABLES, new Layout(3, 32, Claiming.LANES, 3, 1), List.of("ARCHIVE"));
    Stream<Ddl> upgrades = Stream.of(2, 3).map(step -> Ddl.upgrade(DIALECT, TABLES, step));
    return Stream.concat(Stream.of(fresh, several), upgrades)
        .flatMap(ddl -> ddl.statements().stream())
        .map(sql -> new Case(sql.lines().findFirst().orElseThrow(), sql));
  }

  @Test
  void every_row_is_parsed_or_was() throws IOException {
    if ("write".equals(System.getProperty("outbox.digests"))) {
      all().forEach(statement -> parse(statement.sql()));
      Files.write(
          LIST, all().map(statement -> digest(statement.sql())).distinct().sorted().toList());
    }
    assertThat(a_statement_of_the_dialect_is_oracle().count())
        .isGreaterThan(Statements.all().size());
    assertThat(a_statement_of_the_ddl_is_oracle().count()).isGreaterThan(15);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // broken
        "SELECT lane, FROM outbox",
        "SELECT lane FROM outbox WHERE (lane = ?",
        "CREATE TABLE outbox_parked (cluster NUMBER(5))",
        // of other databases
        "SELECT lane FROM outbox LIMIT 10",
        "INSERT INTO outbox (lane) VALUES (?) ON CONFLICT DO NOTHING",
        "DELETE FROM outbox WHERE id = ANY(?) RETURNING id",
        "SELECT CAST(? AS timestamptz)::text FROM DUAL",
      })
  void the_grammar_refuses_what_is_not_oracle(String sql) {
    assertThatThrownBy(() -> parse(sql)).isInstanceOf(SQLParsingException.class);
  }

  @Test
  void one_broken_character_in_a_statement_is_found() {
    String ready =
        rendered(
            ((LaneQuery.UnionAll) STATEMENTS.lanes(LaneStatement.READY)).arm(), DIALECT.clock());
    assertThatCode(() -> parse(ready)).doesNotThrowAnyException();
    assertThatThrownBy(() -> parse(ready.replace("ROWS ONLY", "ROWS ONYL")))
        .isInstanceOf(SQLParsingException.class);
  }

  private void parseUnlessListed(String sql) {
    boolean again = SomeSteps.areAll() && random.nextInt(8) == 0;
    if (again || !PARSED_BEFORE.contains(digest(sql))) {
      parse(sql);
    }
  }

  private static Stream<Case> all() {
    return Stream.concat(
        a_statement_of_the_dialect_is_oracle(), a_statement_of_the_ddl_is_oracle());
  }

  private static Set<String> parsedBefore() {
    try (Stream<String> lines = Files.lines(LIST)) {
      return lines.collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String digest(String sql) {
    return UUID.nameUUIDFromBytes(sql.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /**
   * Two gaps of the grammar are closed here: HISTORY is a keyword of its lexer that it allows
   * nowhere as a name, while Oracle's list of reserved words does not have it; and it knows no
   * functions of packages.
   */
  private void parse(String sql) {
    grammar.parse(
        sql.replaceAll("\\bhistory\\b", "\"HISTORY\"")
            .replaceAll("DBMS_LOB.GETLENGTH\\(|UTL_RAW.CAST_TO_RAW\\(", "LENGTH("),
        false);
  }
}
