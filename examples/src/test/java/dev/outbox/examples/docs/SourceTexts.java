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

/** The string literals of main source: log lines and texts of exceptions are among them. */
final class SourceTexts {
  private static final Pattern TOKEN =
      Pattern.compile(
          "//[^\\n]*|/\\*.*?\\*/|'(?:\\\\.|[^'\\\\])+'"
              + "|\"\"\"(?<block>.*?)\"\"\"|\"(?<text>(?:\\\\.|[^\"\\\\\\n])*)\"",
          Pattern.DOTALL);
  private static final Pattern SUM = Pattern.compile("\\s*\\+\\s*");

  private SourceTexts() {}

  /** A page for each source file, with a literal in a line; those that are added are one. */
  static List<Page> all() {
    try (Stream<Path> files = Files.walk(Page.ROOT)) {
      return files
          .filter(file -> file.toString().matches(".*/src/main/(java|kotlin)/.*\\.(java|kt)"))
          .sorted()
          .map(
              file -> {
                String name = Page.ROOT.relativize(file).toString();
                return new Page(name, String.join("\n", of(Page.read(file))));
              })
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> of(String source) {
    List<String> texts = new ArrayList<>();
    Matcher token = TOKEN.matcher(source);
    int end = -1;
    while (token.find()) {
      String text = token.group("text") == null ? token.group("block") : token.group("text");
      if (text == null) {
        continue;
      }
      if (end >= 0 && SUM.matcher(source.substring(end, token.start())).matches()) {
        texts.set(texts.size() - 1, texts.get(texts.size() - 1) + text);
      } else {
        texts.add(text);
      }
      end = token.end();
    }
    return texts;
  }
}
