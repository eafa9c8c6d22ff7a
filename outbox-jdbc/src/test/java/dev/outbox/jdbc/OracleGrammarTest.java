package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.jdbc.dialect.AppendSql;
import dev.outbox.jdbc.dialect.ByIds;
import dev.outbox.jdbc.dialect.ClaimSql;
import dev.outbox.jdbc.dialect.ClusterSql;
import dev.outbox.jdbc.dialect.ClusterSql.Source;
import dev.outbox.jdbc.dialect.DeadSql;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.FenceSql;
import dev.outbox.jdbc.dialect.KeyQuery;
import dev.outbox.jdbc.dialect.LaneQuery;
import dev.outbox.jdbc.dialect.LimitSql;
import dev.outbox.jdbc.dialect.LockSql;
import dev.outbox.jdbc.dialect.NextIdSql;
import dev.outbox.jdbc.dialect.OnceSql;
import dev.outbox.jdbc.dialect.OracleDialect;
import dev.outbox.jdbc.dialect.PurgeSql;
import dev.outbox.jdbc.dialect.SlotSql;
import dev.outbox.jdbc.dialect.SweepSql;
import dev.outbox.jdbc.dialect.WritersSql;
import dev.outbox.jdbc.internal.Ddl;
import dev.outbox.jdbc.internal.Tables;
import dev.outbox.store.Claiming;
import dev.outbox.store.Layout;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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

/** Every statement for Oracle is parsed by a grammar of Oracle's, that of Apache ShardingSphere. */
@Execution(ExecutionMode.CONCURRENT)
@Order(2) // a long row of its own that waits for nobody
final class OracleGrammarTest {
  /** Rows that are no statements, and one that the grammar lacks: MODIFY of an identity. */
  private static final Set<String> NO_STATEMENTS =
      Set.of(
          "name",
          "supported",
          "faults",
          "clock",
          "boundClock",
          "maxIdentifier",
          "atMost",
          "longestString",
          "readsAlone",
          "raiseNextId");

  private static final Tables TABLES = Tables.of("shop", "orders_outbox", 128);
  private static final Dialect DIALECT = new OracleDialect();

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
    parse(statement.sql());
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

  static Stream<Case> a_statement_of_the_dialect_is_oracle() throws ReflectiveOperationException {
    List<Case> cases = new ArrayList<>();
    for (Method row : Dialect.class.getMethods()) {
      if (row.getParameterCount() == 0 && !NO_STATEMENTS.contains(row.getName())) {
        for (String text : texts(row.invoke(DIALECT))) {
          cases.add(new Case(row.getName(), rendered(text, DIALECT.clock())));
          if (text.contains("{now}")) {
            cases.add(
                new Case(row.getName() + ", bound clock", rendered(text, DIALECT.boundClock())));
          }
        }
      }
    }
    cases.add(new Case("lane of a key", OracleEnvironment.LANE));
    clusterTexts()
        .forEach(text -> cases.add(new Case("clusters", rendered(text, DIALECT.clock()))));
    return cases.stream().sorted(Comparator.comparing(Case::name));
  }

  private static List<String> clusterTexts() {
    List<String> texts =
        new ArrayList<>(
            List.of(
                ClusterSql.beats(),
                ClusterSql.standing(),
                ClusterSql.insertBeat(),
                ClusterSql.deleteBeats(),
                ClusterSql.lockLanes(),
                ClusterSql.freeLanes(),
                ClusterSql.lastBatch(),
                ClusterSql.ofBatch(),
                SweepSql.anyNote(DIALECT.atMost()),
                SweepSql.delayedGhosts(DIALECT.atMost()),
                SweepSql.followers(DIALECT.atMost()),
                SweepSql.wake(),
                SweepSql.oldNotes(DIALECT.atMost()),
                SweepSql.dropNotes()));
    for (Source source : Source.values()) {
      texts.add(ClusterSql.toTake(source, DIALECT.atMost()));
      texts.add(ClusterSql.note(source, DIALECT.atMost()));
      texts.add(ClusterSql.noteOne(source));
      texts.add(ClusterSql.take(source));
      texts.add(SweepSql.ghosts(source, DIALECT.atMost()));
    }
    return texts;
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
    if (row instanceof DeadSql dead) {
      return List.of(dead.page(), dead.count());
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
    parse(statement.sql());
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
  void every_row_is_parsed() throws ReflectiveOperationException {
    long rows =
        Arrays.stream(Dialect.class.getMethods())
            .filter(row -> row.getParameterCount() == 0 && !NO_STATEMENTS.contains(row.getName()))
            .count();
    assertThat(a_statement_of_the_dialect_is_oracle().count()).isGreaterThan(rows);
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
    String ready = rendered(((LaneQuery.UnionAll) DIALECT.ready()).arm(), DIALECT.clock());
    assertThatCode(() -> parse(ready)).doesNotThrowAnyException();
    assertThatThrownBy(() -> parse(ready.replace("ROWS ONLY", "ROWS ONYL")))
        .isInstanceOf(SQLParsingException.class);
  }

  /**
   * Two gaps of the grammar are closed here: HISTORY is a keyword of its lexer that it allows
   * nowhere as a name, while Oracle's list of reserved words does not have it; and it knows no
   * functions of packages.
   */
  private void parse(String sql) {
    grammar.parse(
        sql.replaceAll("\\bhistory\\b", "\"HISTORY\"").replace("DBMS_LOB.GETLENGTH(", "LENGTH("),
        false);
  }
}
