package dev.outbox.cli.connect;

import dev.outbox.cli.Exit;
import dev.outbox.cli.Refusal;
import dev.outbox.cli.text.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a password comes from: a file, the environment, or a person; never an argument. */
final class Password {
  private Password() {}

  /**
   * The password, or null for none; a person is asked only if it {@code asks}.
   *
   * @throws Refusal when the file cannot be read, or is empty
   */
  static @Nullable String of(@Nullable Path file, Terminal terminal, boolean asks) {
    if (file != null) {
      return ofFile(file);
    }
    String variable = terminal.variables().get("OUTBOX_PASSWORD"); // empty is an answer
    if (variable != null || !asks) {
      return variable;
    }
    return terminal.secret("Password: ");
  }

  private static String ofFile(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new Refusal(Exit.USAGE, "--password-file is " + file + ", and it cannot be read: " + e);
    }
    if (lines.isEmpty() || lines.get(0).isEmpty()) {
      throw new Refusal(Exit.USAGE, "--password-file is " + file + ", and its first line is empty");
    }
    return lines.get(0);
  }
}
