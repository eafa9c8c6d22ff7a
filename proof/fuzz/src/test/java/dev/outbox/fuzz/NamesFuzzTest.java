package dev.outbox.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.outbox.Claiming;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.internal.schema.Ddl;
import dev.outbox.jdbc.internal.schema.Dialects;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.jdbc.sql.LaneStatement;
import dev.outbox.jdbc.sql.Statements;
import dev.outbox.spi.Layout;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** No name of a schema, table or column says anything in a statement but that name. */
class NamesFuzzTest {
  private static final List<String> PARTS = List.of("archive", "dedupe", "receipt");
  private static final Layout LAYOUT = new Layout(1, 32, Claiming.LANES);

  /** What a database may see as one: words, with the dots of qualified names. */
  private static final Pattern TOKEN = Pattern.compile("[\\w.]+|\\s+|.", Pattern.DOTALL);

  private static final Pattern NAME = Pattern.compile("([A-Za-z]\\w*\\.)?[A-Za-z]\\w*");

  /** The tokens of each dialect's texts under the names that they are written with. */
  private static final Map<Dialect, List<String>> PLAIN =
      Dialects.ALL.stream()
          .collect(
              Collectors.toMap(dialect -> dialect, dialect -> tokens(dialect, plain(dialect))));

  @DictionaryEntries({"outbox", "outbox_lane", ";--", "{now}", "$1", " DROP TABLE "})
  @FuzzTest
  void a_schema_and_a_prefix_change_names_alone_or_are_refused(FuzzedDataProvider data) {
    Dialect dialect = data.pickValue(Dialects.ALL);
    String schema = data.consumeBoolean() ? data.consumeString(140) : null;
    Tables tables = tables(schema, data.consumeRemainingAsString(), dialect);
    if (tables != null) {
      assertSame(PLAIN.get(dialect), tokens(dialect, tables), dialect);
    }
  }

  /** Null when the names are refused. */
  private static @Nullable Tables tables(@Nullable String schema, String prefix, Dialect dialect) {
    try {
      return Tables.of(schema, prefix, dialect.maxIdentifier());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static Tables plain(Dialect dialect) {
    return Tables.of(null, Tables.DEFAULT_PREFIX, dialect.maxIdentifier());
  }

  private static List<String> tokens(Dialect dialect, Tables tables) {
    StringBuilder text = new StringBuilder(Ddl.of(dialect, tables, LAYOUT, PARTS).text());
    text.append(tables.render("{outbox} {lane} {index parked_keys} {now} :now", dialect.clock()));
    for (LaneStatement statement : LaneStatement.values()) {
      if (Statements.of(dialect).shape(statement) instanceof String raw) {
        text.append(tables.render(raw, dialect.clock()));
      }
    }
    return TOKEN.matcher(text).results().map(MatchResult::group).toList();
  }

  private static void assertSame(List<String> plain, List<String> named, Dialect dialect) {
    assertThat(named).hasSameSizeAs(plain);
    for (int i = 0; i < plain.size(); i++) {
      if (!plain.get(i).equals(named.get(i))) {
        assertThat(plain.get(i)).contains(Tables.DEFAULT_PREFIX);
        assertThat(named.get(i)).matches(NAME);
        assertThat(named.get(i).replaceFirst(".*\\.", "").length())
            .isLessThanOrEqualTo(dialect.maxIdentifier());
      }
    }
  }
}
