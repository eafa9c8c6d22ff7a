package dev.outbox.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Code that is shown on a page: the marked region of a file that is compiled. */
final class CodeBlock {
  private CodeBlock() {}

  /** The block as it stands on the page. */
  static String of(Path file, String tag) throws IOException {
    List<String> lines = Files.readAllLines(file);
    String code =
        lines
            .subList(indexOf(lines, "tag::" + tag + "[]") + 1, indexOf(lines, "end::" + tag + "[]"))
            .stream()
            .collect(Collectors.joining("\n"))
            .stripTrailing()
            .stripIndent();
    return "```java\n" + code + "\n```";
  }

  private static int indexOf(List<String> lines, String mark) {
    for (int line = 0; line < lines.size(); line++) {
      if (lines.get(line).contains(mark)) {
        return line;
      }
    }
    throw new AssertionError("no " + mark);
  }
}
