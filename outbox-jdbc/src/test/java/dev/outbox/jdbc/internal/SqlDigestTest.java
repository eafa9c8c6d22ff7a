package dev.outbox.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Claiming;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.internal.schema.Dialects;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.jdbc.shape.BySource;
import dev.outbox.jdbc.shape.BySource.Source;
import dev.outbox.jdbc.sql.IdStatement;
import dev.outbox.jdbc.sql.Statement;
import dev.outbox.jdbc.sql.Statements;
import dev.outbox.jdbc.sql.SweepStatement;
import dev.outbox.spi.Layout;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every statement of every dialect as it goes to the database, for one cluster and for several,
 * against the texts under {@code src/test/resources/digests}: a change of a statement is a change
 * of those files, to be read in a review. White space counts as one blank.
 *
 * <p>{@code -Doutbox.digests=write} writes them.
 */
class SqlDigestTest {
  private static final Path FOLDER = Path.of("src/test/resources/digests");
  private static final Layout ONE = new Layout(1, 32, Claiming.LANES);
  private static final Layout SEVERAL = new Layout(1, 32, Claiming.LANES, 3, 1);

  /** Under what name the statements are reviewed that are the same on every database. */
  private static final Map<String, String> SHARED =
      Map.of("cluster", "ClusterSql.", "sweep", "SweepSql.");

  private static final Set<Statement> SHARED_OF_IDS =
      Set.of(
          IdStatement.HIGHEST_DELAYED,
          IdStatement.HIGHEST_DEAD,
          IdStatement.LANES_WITH_SUSPECTS,
          IdStatement.FORGET_SUSPECT,
          IdStatement.LOCK_RAISING,
          IdStatement.RAISE_EPOCHS);

  static Stream<Dialect> dialects() {
    return Dialects.ALL.stream();
  }

  @ParameterizedTest
  @MethodSource("dialects")
  void statements_are_those_that_were_reviewed(Dialect dialect) throws IOException {
    Path file = FOLDER.resolve(dialect.name() + ".sql");
    String rendered = rendered(dialect);
    if ("write".equals(System.getProperty("outbox.digests"))) {
      Files.createDirectories(FOLDER);
      Files.writeString(file, rendered);
    }
    assertThat(rendered.lines().toList()).isEqualTo(Files.readAllLines(file));
  }

  private static String rendered(Dialect dialect) {
    Statements statements = Statements.of(dialect);
    Map<String, String> texts = new TreeMap<>();
    texts.put("clock", dialect.clock());
    texts.put("boundClock", dialect.boundClock());
    // the end of a query that returns at most that many rows
    texts.put(
        "atMost",
        statements.text(SweepStatement.ANY_NOTE).replaceAll("SELECT lane\\s+FROM \\S+", ""));
    for (Statement statement : Statements.all()) {
      collect(name(statement), statements.shape(statement), texts);
    }
    return texts.entrySet().stream()
        .map(each -> "-- " + each.getKey() + "\n" + rendered(dialect, each.getValue()))
        .collect(Collectors.joining("\n"));
  }

  private static String name(Statement statement) {
    String shared =
        SHARED_OF_IDS.contains(statement) ? "IdSql." : SHARED.getOrDefault(statement.file(), "");
    return shared + statement.textName();
  }

  private static void collect(String name, Object value, Map<String, String> all) {
    if (value instanceof String text) {
      all.put(name, text);
    } else if (value instanceof BySource texts) {
      Stream.of(Source.values()).forEach(each -> all.put(name + " " + each, texts.of(each)));
    } else if (value instanceof Record parts) {
      for (RecordComponent component : parts.getClass().getRecordComponents()) {
        String named = component.getName().equals("sql") ? "" : "." + component.getName();
        collect(name + named, called(component.getAccessor(), parts), all);
      }
    }
  }

  private static Object called(Method method, Object target, Object... arguments) {
    try {
      method.setAccessible(true);
      return method.invoke(target, arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no text of " + method, e);
    }
  }

  private static String rendered(Dialect dialect, String text) {
    String one = rendered(dialect, ONE, text);
    String several = rendered(dialect, SEVERAL, text);
    return one.equals(several) ? one + "\n" : one + "\n-- of several clusters\n" + several + "\n";
  }

  private static String rendered(Dialect dialect, Layout layout, String text) {
    Tables tables = Tables.of(null, Tables.DEFAULT_PREFIX, dialect.maxIdentifier()).at(layout);
    return wrapped(tables.render(text, dialect.clock()).replaceAll("\\s+", " ").strip());
  }

  /** In lines that a reviewer can read. */
  private static String wrapped(String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (line.length() + word.length() > 110) {
        lines.add(line.toString().strip());
        line.setLength(0);
      }
      line.append(word).append(' ');
    }
    lines.add(line.toString().strip());
    return String.join("\n", lines);
  }
}
