package dev.outbox.migration;

import dev.outbox.servers.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The SQL of docs/migrate.md. Stateless. */
final class MigratePage {
  private static final Path PAGE = Path.of("..", "..", "docs", "migrate.md");

  private MigratePage() {}

  /** The statements that move the rows of {@code library} on {@code database}. */
  static List<String> statements(String library, Database database) throws IOException {
    String name = library + (database == Database.POSTGRES ? "-postgresql" : "-mysql") + ".sql";
    Matcher block =
        Pattern.compile(
                "<!-- code: [a-z/]*" + Pattern.quote(name) + " -->\\s*```sql\\n(.*?)```",
                Pattern.DOTALL)
            .matcher(Files.readString(PAGE));
    if (!block.find()) {
      throw new AssertionError("docs/migrate.md has no block of " + name);
    }
    return Arrays.stream(block.group(1).split(";", -1)).map(String::strip).toList();
  }
}
