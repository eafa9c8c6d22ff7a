package dev.outbox.jdbc.internal.session;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with {@code ?} for its values, and their names in order.
 *
 * <p>Immutable.
 */
public record NamedSql(String text, List<String> names) {
  /** A literal, in which a colon is a colon; the two of a cast; or a name. */
  private static final Pattern NAME = Pattern.compile("'[^']*'|::|:([A-Za-z]\\w*)");

  public NamedSql {
    names = List.copyOf(names);
  }

  /** Finds each {@code :name} that stands outside of literals. */
  public static NamedSql parse(String named) {
    List<String> names = new ArrayList<>();
    Matcher matcher = NAME.matcher(named);
    String text =
        matcher.replaceAll(
            match -> {
              if (match.group(1) == null) {
                return Matcher.quoteReplacement(match.group());
              }
              names.add(match.group(1));
              return "?";
            });
    return new NamedSql(text, names);
  }
}
