package dev.outbox.examples.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** README.md, or a page of docs/: its name from the root on, and its text. */
record Page(String name, String text) {
  static final Path ROOT = Path.of("..");
  private static final Pattern MARK = Pattern.compile("<!-- (.*) -->");
  private static final String FENCE = "```";

  /** A block of code: where it begins, its mark (empty if it has none), its language, its text. */
  record Block(int line, String mark, String language, String text) {}

  static List<Page> all() {
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(Stream.of(ROOT.resolve("README.md")), files)
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> !file.toString().contains("node_modules"))
          .sorted()
          .map(file -> new Page(ROOT.relativize(file).toString(), read(file)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What stands beside README.md. */
  static List<Page> ofTheRoot() {
    try (Stream<Path> files = Files.list(ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(".md") && !file.endsWith("README.md"))
          .sorted()
          .map(file -> new Page(ROOT.relativize(file).toString(), read(file)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int at = 0; at < lines.size(); at++) {
      String line = lines.get(at);
      if (line.startsWith(FENCE)) {
        int end = at + 1;
        while (!lines.get(end).equals(FENCE)) {
          end++;
        }
        Matcher mark = MARK.matcher(at == 0 ? "" : lines.get(at - 1));
        blocks.add(
            new Block(
                at + 1,
                mark.matches() ? mark.group(1) : "",
                line.substring(FENCE.length()),
                String.join("\n", lines.subList(at + 1, end))));
        at = end;
      } else if (line.startsWith("    ") && (at == 0 || lines.get(at - 1).isBlank())) {
        blocks.add(new Block(at + 1, "", "", line));
      }
    }
    return blocks;
  }
}
