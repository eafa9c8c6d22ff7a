package dev.outbox.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.H2Dialect;
import dev.outbox.jdbc.dialect.MariaDbDialect;
import dev.outbox.jdbc.dialect.MySqlDialect;
import dev.outbox.jdbc.dialect.OracleDialect;
import dev.outbox.jdbc.dialect.PostgresDialect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class TextsTest {
  private static final Path FOLDER = Path.of("src/main/resources/dev/outbox/jdbc/sql");
  private static final List<Dialect> DIALECTS =
      List.of(
          new PostgresDialect(),
          new MySqlDialect(),
          new MariaDbDialect(),
          new OracleDialect(),
          new H2Dialect());

  /** What a store fills in: its tables, clock and cluster, and names that are asked for. */
  private static final Set<String> FILLED_LATER =
      Set.of(
          "outbox",
          "lane",
          "parked",
          "delayed",
          "dead",
          "meta",
          "relay",
          "topic",
          "dedupe",
          "dedupe_slot",
          "receipt",
          "receipt_slot",
          "archive",
          "beat",
          "takeover",
          "now",
          "cluster",
          "origin",
          "mine",
          "ours",
          "own",
          "table",
          "column",
          "sequence",
          "next",
          "least");

  static List<Dialect> dialects() {
    return DIALECTS;
  }

  private static List<String> files() {
    return Statements.all().stream().map(Statement::file).distinct().toList();
  }

  /** Each is read alone, as a store does. */
  private static List<Texts> texts(List<String> folders) {
    return files().stream().map(file -> Texts.of(folders, file)).toList();
  }

  private static Stream<String> folders() {
    return DIALECTS.stream().flatMap(dialect -> dialect.folders().stream()).distinct();
  }

  /** Reading refuses a statement without a text and a text without a statement. */
  @ParameterizedTest
  @MethodSource("dialects")
  void every_statement_has_one_text_on_each_database(Dialect dialect) {
    Statements statements = Statements.of(dialect);
    assertThat(Statements.all()).allSatisfy(each -> assertThat(statements.shape(each)).isNotNull());
  }

  @ParameterizedTest
  @MethodSource("dialects")
  void every_name_in_braces_is_known(Dialect dialect) {
    Pattern name = Pattern.compile("\\{(\\w+\\.)?(\\w+)}");
    Set<String> unknown = new TreeSet<>();
    for (Texts texts : texts(dialect.folders())) {
      for (String text : texts.entries().keySet()) {
        Matcher left = name.matcher(texts.text(text));
        while (left.find()) {
          if (left.group(1) != null || !FILLED_LATER.contains(left.group(2))) {
            unknown.add(left.group() + " in " + text);
          }
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  @Test
  void every_text_and_every_fragment_is_that_of_some_database() {
    Set<String> used = new HashSet<>();
    for (Dialect dialect : DIALECTS) {
      for (Texts texts : texts(dialect.folders())) {
        texts.entries().forEach((name, entry) -> used.add(entry.folder() + " " + name));
        texts.fragments().forEach((name, entry) -> used.add(entry.folder() + " {" + name));
      }
    }
    for (String folder : folders().toList()) {
      for (Texts all : texts(List.of(folder))) {
        assertThat(all.entries().keySet()).allMatch(name -> used.contains(folder + " " + name));
        assertThat(all.fragments().keySet()).allMatch(name -> used.contains(folder + " {" + name));
      }
    }
  }

  @Test
  void every_fragment_is_named_in_some_text() throws IOException {
    String all = "";
    for (Path path : paths()) {
      all += Files.readString(path);
    }
    for (String folder : folders().toList()) {
      for (Texts texts : texts(List.of(folder))) {
        for (String name : texts.fragments().keySet()) {
          String word = name.substring(name.lastIndexOf('.') + 1);
          assertThat(all).containsPattern("\\{(\\w\\.)?" + word + "}");
        }
      }
    }
  }

  @Test
  void no_folder_says_again_what_stands_in_one_before_it() {
    for (Dialect dialect : DIALECTS) {
      for (int i = 1; i < dialect.folders().size(); i++) {
        List<Texts> before = texts(dialect.folders().subList(0, i));
        List<Texts> own = texts(List.of(dialect.folders().get(i)));
        assertThat(said(own, Texts::entries))
            .doesNotContainAnyElementsOf(said(before, Texts::entries));
        assertThat(said(own, Texts::fragments))
            .doesNotContainAnyElementsOf(said(before, Texts::fragments));
      }
    }
  }

  private static Set<String> said(
      List<Texts> texts, Function<Texts, Map<String, Texts.Entry>> entries) {
    return texts.stream()
        .flatMap(each -> entries.apply(each).entrySet().stream())
        .map(
            each ->
                each.getKey()
                    + " as "
                    + each.getValue().shape()
                    + ": "
                    + each.getValue().text().replaceAll("\\s+", " "))
        .collect(Collectors.toSet());
  }

  /** One that is not would never be read. */
  @Test
  void every_file_is_named_after_one_of_the_sets_of_statements() throws IOException {
    Set<String> read =
        folders()
            .flatMap(
                folder ->
                    Stream.concat(Stream.of(Texts.FRAGMENTS), files().stream())
                        .map(file -> folder + "/" + file + ".sql"))
            .collect(Collectors.toSet());
    for (Path file : paths()) {
      assertThat(read).contains(FOLDER.relativize(file).toString().replace('\\', '/'));
      assertThat(Files.readAllLines(file)).as("lines of %s", file).hasSizeLessThanOrEqualTo(200);
    }
  }

  private static List<Path> paths() throws IOException {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -- name: deleteRedy;DELETE                          | own/settle.sql, line 1: no statement asks for settle/deleteRedy
          -- name: deleteReady  shape: each column;DELETE     | own/settle.sql, line 1: settle/deleteReady has no shape 'each column'
          -- name: lockLane  shape: limited;SELECT            | own/settle.sql, line 1: settle/lockLane has no shape 'limited'
          ;-- name: lockLane;SELECT;-- name: lockLane;SELECT  | own/settle.sql, line 4: settle/lockLane stands in own/settle.sql, line 2 already
          -- name: lockLane;SELECT;-- nmae: suspect;UPDATE    | own/settle.sql, line 3: a comment stands above a text or its name
          SELECT                                              | own/settle.sql, line 1: a text has no name
          -- name: deleteReady.lock;SELECT                    | own/settle.sql, line 1: no statement asks for settle/deleteReady.lock
          """)
  void what_is_written_wrongly_is_refused_with_its_place(String lines, String refusal) {
    Texts texts = Texts.of(new H2Dialect().folders(), "settle");
    assertThatThrownBy(
            () -> {
              texts.read("own", "settle", List.of(lines.split(";", -1)));
              Statements.of(texts, SettleStatement.values());
            })
        .hasMessage(refusal);
  }

  @Test
  void a_missing_text_is_refused() {
    assertThatThrownBy(() -> Statements.of(new Texts(List.of()), LaneStatement.values()))
        .hasMessage("no text is named lanes/freeLanes");
  }

  @Test
  void a_later_folder_replaces_a_text_with_its_parts_or_a_part_alone() {
    Texts texts = new Texts(List.of());
    texts.read("one", "once", List.of("-- name: a", "A", "-- name: a.x", "X", "-- name: a.y", "Y"));
    texts.read("two", "once", List.of("-- name: a.x", "X2"));
    assertThat(texts.text("once/a.x") + texts.text("once/a.y")).isEqualTo("X2\nY\n");
    texts.read("three", "once", List.of("-- name: a", "-- why", "A3"));
    assertThat(texts.entries().keySet()).containsExactly("once/a");
    assertThat(texts.text("once/a")).isEqualTo("A3\n");
  }

  @Test
  void a_fragment_of_a_statement_comes_before_one_for_all() {
    Texts texts = new Texts(List.of());
    texts.read(
        "one",
        "dead",
        List.of(
            "-- names: a.page, b.page",
            "{where} {o.columns} {lane}",
            "-- fragment: where",
            "all",
            "-- fragment: b.where",
            "own",
            "-- fragment: columns",
            "id, topic"));
    assertThat(texts.text("dead/a.page")).isEqualTo("all o.id, o.topic {lane}\n");
    assertThat(texts.text("dead/b.page")).isEqualTo("own o.id, o.topic {lane}\n");
  }
}
