package dev.outbox.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.jdbc.dialect.ClusterSql;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.IdSql;
import dev.outbox.jdbc.dialect.SweepSql;
import dev.outbox.store.Claiming;
import dev.outbox.store.Layout;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

  /** Texts that are none: names and words about the dialect. */
  private static final List<String> NO_STATEMENTS = List.of("name", "supported");

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
    Map<String, String> texts = new TreeMap<>();
    for (Method method : Dialect.class.getMethods()) {
      if (method.getParameterCount() == 0 && !NO_STATEMENTS.contains(method.getName())) {
        collect(method.getName(), called(method, dialect), texts);
      }
    }
    Stream.of(ClusterSql.class, SweepSql.class, IdSql.class)
        .flatMap(type -> Stream.of(type.getDeclaredMethods()))
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .forEach(method -> collectShared(method, dialect, texts));
    return texts.entrySet().stream()
        .map(each -> "-- " + each.getKey() + "\n" + rendered(dialect, each.getValue()))
        .collect(Collectors.joining("\n"));
  }

  private static void collectShared(Method method, Dialect dialect, Map<String, String> texts) {
    String name = method.getDeclaringClass().getSimpleName() + "." + method.getName();
    if (!List.of(method.getParameterTypes()).contains(ClusterSql.Source.class)) {
      collect(name, called(method, null, arguments(method, null, dialect)), texts);
      return;
    }
    for (ClusterSql.Source source : ClusterSql.Source.values()) {
      Object text = called(method, null, arguments(method, source, dialect));
      collect(name + " " + source, text, texts);
    }
  }

  private static Object[] arguments(Method method, ClusterSql.Source source, Dialect dialect) {
    return Stream.of(method.getParameterTypes())
        .map(type -> type == String.class ? dialect.atMost() : source)
        .toArray();
  }

  private static void collect(String name, Object value, Map<String, String> texts) {
    if (value instanceof String text) {
      texts.put(name, text);
    } else if (value instanceof Record parts) {
      for (RecordComponent component : parts.getClass().getRecordComponents()) {
        String named = component.getName().equals("sql") ? "" : "." + component.getName();
        collect(name + named, called(component.getAccessor(), parts), texts);
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
