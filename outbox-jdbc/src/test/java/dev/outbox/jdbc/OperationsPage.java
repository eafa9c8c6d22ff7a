package dev.outbox.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The page docs/operations.md, whose SQL and tables the tests hold to their word. */
final class OperationsPage {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z0-9-]+)` \\| (failure|warning) \\|");

  private OperationsPage() {}

  static String text() {
    try {
      return Files.readString(Path.of("..", "docs", "operations.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The statements of the block marked {@code kind} for {@code dialect}. */
  static List<String> statements(String kind, String dialect) {
    Matcher block =
        Pattern.compile(
                "<!-- " + kind + ":[^>]*\\b" + dialect + "\\b[^>]*-->\\s*```sql\\n(.*?)```",
                Pattern.DOTALL)
            .matcher(text());
    if (!block.find()) {
      throw new IllegalStateException("no " + kind + " for " + dialect);
    }
    return Arrays.stream(block.group(1).split(";", -1))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .toList();
  }

  /** Code and severity of every row of the table of findings. */
  static List<String> findings() {
    return ROW.matcher(text()).results().map(row -> row.group(1) + " " + row.group(2)).toList();
  }
}
