package dev.outbox.jdbc.internal.session;

import dev.outbox.spi.Layout;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of the tables of one outbox, and the rendering of a dialect's text with them.
 *
 * <p>Immutable.
 */
public final class Tables {
  /** The prefix that the DDL resources are written with. */
  public static final String DEFAULT_PREFIX = "outbox";

  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{(index )?(\\w+)}");
  private static final Pattern DDL_NAME =
      Pattern.compile("(DROP INDEX (?:IF EXISTS )?)?\\boutbox(_\\w+)?\\b");
  private static final Pattern PART =
      Pattern.compile(
          "_(lane|parked|delayed|dead|meta|relay|topic|(dedupe|receipt)(_slot)?|archive|beat|takeover)");

  /** The longest ending of an index or constraint name in the DDL: {@code _archive_completed}. */
  private static final int LONGEST_ENDING = 18;

  private final @Nullable String schema;
  private final String prefix;
  private final ClusterScope clusterScope;

  private Tables(@Nullable String schema, String prefix, ClusterScope clusterScope) {
    this.schema = schema;
    this.prefix = prefix;
    this.clusterScope = clusterScope;
  }

  /**
   * Names for {@code schema}, or for the connection's own when it is null.
   *
   * @throws IllegalArgumentException when a name has other characters than letters, digits and
   *     underscores, does not begin with a letter, or is too long for {@code maxIdentifier}
   */
  public static Tables of(@Nullable String schema, String prefix, int maxIdentifier) {
    check("table prefix", prefix, maxIdentifier - LONGEST_ENDING);
    if (schema != null) {
      check("schema", schema, maxIdentifier);
    }
    return new Tables(schema, prefix, ClusterScope.ONLY);
  }

  /** The same names, for the cluster of {@code layout}. */
  public Tables at(Layout layout) {
    return new Tables(schema, prefix, ClusterScope.of(layout));
  }

  public ClusterScope clusterScope() {
    return clusterScope;
  }

  private static void check(String what, String name, int longest) {
    if (!IDENTIFIER.matcher(name).matches() || name.length() > longest) {
      throw new IllegalArgumentException(
          "%s is '%s' (%d characters); it must begin with a letter, have letters, digits and underscores only, and at most %d characters"
              .formatted(what, name, name.length(), longest));
    }
  }

  /** The schema, or null for the connection's own. */
  public @Nullable String schema() {
    return schema;
  }

  public String prefix() {
    return prefix;
  }

  /** The full name of a table: {@code outbox}, or {@code lane}, {@code parked}, and so on. */
  public String name(String table) {
    return qualified(table.equals("outbox") ? prefix : prefix + "_" + table);
  }

  /** Replaces the placeholders of a dialect's text; {@code now} is the clock's expression. */
  public String render(String text, String now) {
    return PLACEHOLDER
        .matcher(clusterScope.fill(text))
        .replaceAll(
            match ->
                Matcher.quoteReplacement(
                    match.group(1) == null ? named(match.group(2), now) : index(match.group(2))));
  }

  private String named(String placeholder, String now) {
    return placeholder.equals("now") ? now : name(placeholder);
  }

  private String index(String ending) {
    return prefix + "_" + ending;
  }

  /**
   * Replaces the default names in a DDL text: tables get schema and prefix, indexes and constraints
   * the prefix, but for an index that is dropped, which is looked for in the schema.
   */
  public String renderDdl(String ddl) {
    return DDL_NAME
        .matcher(ddl)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(
                    match.group(1) == null
                        ? ddlName(match.group(2))
                        : match.group(1) + qualified(prefix + match.group(2))));
  }

  private String ddlName(@Nullable String ending) {
    if (ending == null) {
      return qualified(prefix);
    }
    return PART.matcher(ending).matches() ? qualified(prefix + ending) : prefix + ending;
  }

  private String qualified(String table) {
    return schema == null ? table : schema + "." + table;
  }
}
