package dev.outbox.jdbc.internal.session;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with {@code ?} for its values, and their names in order: for statements that bypass jdbi.
 *
 * <p>Immutable.
 */
public record NamedSql(String text, List<String> names) {
  private static final Pattern NAME = Pattern.compile(":(\\w+)");

  public NamedSql {
    names = List.copyOf(names);
  }

  static NamedSql parse(String named) {
    List<String> names = new ArrayList<>();
    Matcher matcher = NAME.matcher(named);
    String text =
        matcher.replaceAll(
            match -> {
              names.add(match.group(1));
              return "?";
            });
    return new NamedSql(text, names);
  }
}
