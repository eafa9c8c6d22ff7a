package dev.outbox.examples.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The standard input of a process: words from the process that started it, and its end when that is
 * gone.
 */
final class Lifeline {
  private static final BufferedReader INPUT =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

  private Lifeline() {}

  /** Waits for a word; null when there will be none. */
  static @Nullable String word() throws IOException {
    return INPUT.readLine();
  }

  /** Lives until the process that started this one is gone, and ends the process then. */
  static void hold() throws IOException {
    while (word() != null) {
      // nothing to obey
    }
    Runtime.getRuntime().halt(1);
  }
}
