package dev.outbox.jdbc;

import dev.outbox.servers.Database;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A page of docs/, whose SQL the tests run and whose tables they compare. The blocks are marked as
 * {@code PageCodeTest} in examples says, which fails for SQL that no test reads here.
 */
public enum DocsPage {
  OPERATE_GRANTS,
  OPERATE_DOCTOR,
  OPERATE_FAILOVER,
  RUNBOOK,
  CONSUME_ONCE,
  SEVERAL_CLUSTERS,
  SEVERAL_CLUSTERS_RESTORE,
  TABLES;

  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z0-9-]+)` \\| (failure|warning)[^|]*\\|");

  private String text() {
    String file = name().toLowerCase(Locale.ROOT).replace('_', '-') + ".md";
    try {
      return Files.readString(Path.of("..", "docs", file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The statements of the blocks marked {@code kind} for {@code database}. */
  public List<String> statements(String kind, Database database) {
    String dialect =
        database == Database.POSTGRES ? "postgresql" : database.name().toLowerCase(Locale.ROOT);
    List<String> statements =
        Pattern.compile(
                "<!-- " + kind + ":[^>]*\\b" + dialect + "\\b[^>]*-->\\s*```sql\\n(.*?)```",
                Pattern.DOTALL)
            .matcher(text())
            .results()
            .flatMap(block -> Arrays.stream(block.group(1).split(";", -1)))
            .map(String::strip)
            .filter(statement -> !statement.isEmpty())
            .toList();
    if (statements.isEmpty()) {
      throw new IllegalStateException("no " + kind + " for " + dialect);
    }
    return statements;
  }

  /** Code and severity of every row of the table of findings. */
  public List<String> findings() {
    return ROW.matcher(text()).results().map(row -> row.group(1) + " " + row.group(2)).toList();
  }
}
