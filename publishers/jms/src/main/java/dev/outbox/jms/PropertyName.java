package dev.outbox.jms;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a header as that of a property, which must be an identifier: hyphens and dots are
 * written as Apache Camel writes and reads them. Stateless.
 */
final class PropertyName {
  private static final String HYPHEN = "_HYPHEN_";
  private static final String DOT = "_DOT_";
  private static final Pattern NAME = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*");
  private static final Set<String> WORDS =
      Set.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");

  private PropertyName() {}

  static String of(String header) {
    return header.replace("-", HYPHEN).replace(".", DOT);
  }

  /** Why there is no such property, or null. */
  static @Nullable String refusal(String header) {
    String arrives = of(header).replace(DOT, ".").replace(HYPHEN, "-");
    if (!arrives.equals(header)) {
      return "header '%s' would arrive as '%s'; rename it".formatted(header, arrives);
    }
    boolean fits = NAME.matcher(of(header)).matches();
    boolean isTaken =
        header.startsWith("JMS")
            || header.startsWith("_AMQ")
            || WORDS.contains(header.toUpperCase(Locale.ROOT));
    return fits && !isTaken
        ? null
        : "header '%s' can be no property of JMS; use letters, digits, hyphens, dots and underscores, not beginning with a digit, JMS or _AMQ"
            .formatted(header);
  }
}
