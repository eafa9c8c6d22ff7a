package dev.outbox.jdbc.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The texts of one set of statements on one database, read from its folders; what a later folder
 * says replaces what an earlier one said.
 *
 * <p>A text is under {@code -- name: deleteReady shape: each row}, or {@code -- names: a, b} where
 * several are the same; lines of comment between the two tell the reason. A shape may ask for
 * parts, which have their own names: {@code purgeKeys.lock}. A folder that has a text replaces its
 * parts as well; one that has only a part replaces that.
 *
 * <p>What would be said twice is said once under {@code -- fragment: rows} and named as {@code
 * {rows}}. A fragment {@code dead.where} is meant for {@code dead} and its parts alone, and comes
 * before one that is called {@code where}. {@code {o.columns}} puts {@code o.} before each word.
 */
final class Texts {
  static final String FRAGMENTS = "fragments";

  private static final Pattern HEAD =
      Pattern.compile("-- (names?|fragment): ([\\w.]+(?:, [\\w.]+)*)(?:  shape: (\\S.*))?");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{(?:(\\w)\\.)?(\\w+)}");
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  /** A text as it was written. */
  record Entry(String folder, String file, int line, String shape, String text) {
    String place() {
      return Texts.place(folder, file, line);
    }
  }

  private final List<String> folders;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Map<String, Entry> fragments = new HashMap<>();
  private final Set<String> read = new HashSet<>();

  Texts(List<String> folders) {
    this.folders = folders;
  }

  /** Those of one file of the jar, in all folders, and the fragments that are for all. */
  static Texts of(List<String> folders, String file) {
    Texts texts = new Texts(folders);
    for (String folder : folders) {
      texts.readResource(folder, FRAGMENTS);
      texts.readResource(folder, file);
    }
    return texts;
  }

  /** Those of the file that has the text {@code name}. */
  Texts with(String name) {
    return of(folders, name.substring(0, name.indexOf('/')));
  }

  private void readResource(String folder, String file) {
    String name = "/dev/outbox/jdbc/sql/" + folder + "/" + file + ".sql";
    try (InputStream resource = Texts.class.getResourceAsStream(name)) {
      if (resource != null) {
        String text = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        read(folder, file, text.lines().toList());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void read(String folder, String file, List<String> lines) {
    @Nullable Matcher head = null;
    int headLine = 0;
    List<String> body = new ArrayList<>();
    for (int line = 1; line <= lines.size(); line++) {
      String text = lines.get(line - 1);
      if (!text.startsWith("--")) {
        body.add(text);
        continue;
      }
      Matcher next = HEAD.matcher(text);
      if (next.matches()) {
        add(folder, file, headLine, head, body);
        head = next;
        headLine = line;
        body.clear();
      } else if (!String.join("", body).isBlank()) {
        throw refused(place(folder, file, line), "a comment stands above a text or its name");
      }
    }
    add(folder, file, headLine, head, body);
  }

  private void add(
      String folder, String file, int line, @Nullable Matcher head, List<String> lines) {
    String text = String.join("\n", lines).strip();
    if (head == null) {
      if (!text.isEmpty()) {
        throw refused(place(folder, file, 1), "a text has no name");
      }
      return;
    }
    String shape = head.group(3) == null ? "" : head.group(3).strip();
    Entry entry = new Entry(folder, file, line, shape, text);
    for (String name : head.group(2).split(", ", -1)) {
      if (head.group(1).equals("fragment")) {
        put(fragments, name, entry);
      } else {
        String full = file + "/" + name;
        if (put(entries, full, entry)) {
          dropParts(full + ".", folder);
        }
      }
    }
  }

  private static String place(String folder, String file, int line) {
    return "%s/%s.sql, line %d".formatted(folder, file, line);
  }

  private void dropParts(String beginning, String folder) {
    entries
        .entrySet()
        .removeIf(
            each ->
                each.getKey().startsWith(beginning) && !each.getValue().folder().equals(folder));
  }

  /** True when it replaces what an earlier folder said. */
  private static boolean put(Map<String, Entry> all, String name, Entry entry) {
    Entry before = all.put(name, entry);
    if (before != null && before.folder().equals(entry.folder())) {
      throw refused(entry.place(), name + " stands in " + before.place() + " already");
    }
    return before != null;
  }

  /** The shape that is beside the name, each number in it as {@code #}. */
  String shape(String name) {
    String shape = entry(name).shape();
    return shape.isEmpty() ? shape : NUMBER.matcher(shape).replaceAll("#");
  }

  /** The number in its shape. */
  int number(String name) {
    Matcher number = NUMBER.matcher(entry(name).shape());
    if (!number.find()) {
      throw unknownShape(name);
    }
    return Integer.parseInt(number.group());
  }

  /** The text with its fragments filled in, and a line's end behind it. */
  String text(String name) {
    return filled(name.substring(name.indexOf('/') + 1), entry(name).text()) + "\n";
  }

  /** As {@link #text}; empty where there is none. */
  String textIfAny(String name) {
    return entries.containsKey(name) ? text(name) : "";
  }

  private Entry entry(String name) {
    Entry entry = entries.get(name);
    if (entry == null) {
      throw new IllegalStateException("no text is named " + name);
    }
    read.add(name);
    return entry;
  }

  private String filled(String name, String text) {
    if (text.indexOf('{') < 0) {
      return text;
    }
    return PLACEHOLDER
        .matcher(text)
        .replaceAll(match -> Matcher.quoteReplacement(filled(name, match)));
  }

  private String filled(String name, MatchResult placeholder) {
    Entry fragment = fragment(name, placeholder.group(2));
    if (fragment == null) {
      return placeholder.group();
    }
    String text = filled(name, fragment.text());
    String table = placeholder.group(1);
    return table == null ? text : text.replaceAll("\\w+", table + ".$0");
  }

  private @Nullable Entry fragment(String name, String word) {
    for (String scope = name; ; scope = scope.substring(0, scope.lastIndexOf('.'))) {
      Entry found = fragments.get(scope + "." + word);
      if (found != null) {
        return found;
      }
      if (scope.indexOf('.') < 0) {
        return fragments.get(word);
      }
    }
  }

  /** Refuses texts that no statement asks for: their names are unknown. */
  void refuseUnread() {
    entries.forEach(
        (name, entry) -> {
          if (!read.contains(name)) {
            throw refused(entry.place(), "no statement asks for " + name);
          }
        });
  }

  IllegalStateException unknownShape(String name) {
    Entry entry = entry(name);
    return refused(entry.place(), "%s has no shape '%s'".formatted(name, entry.shape()));
  }

  private static IllegalStateException refused(String place, String why) {
    return new IllegalStateException(place + ": " + why);
  }

  /** The texts that stand, by file and name. */
  Map<String, Entry> entries() {
    return Map.copyOf(entries);
  }

  /** The fragments that stand, by name. */
  Map<String, Entry> fragments() {
    return Map.copyOf(fragments);
  }
}
