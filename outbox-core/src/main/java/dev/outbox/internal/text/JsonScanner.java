package dev.outbox.internal.text;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON object of which only the top level matters.
 *
 * <p>Used by one thread. Every method throws {@link IllegalArgumentException} where the text is not
 * JSON.
 */
final class JsonScanner {
  private static final int DEEPEST = 64;

  private final String json;
  private int at;

  JsonScanner(String json) {
    this.json = json;
  }

  /**
   * Hands over each name with its value: strings without quotes, null as null, anything else as its
   * text.
   */
  void object(BiConsumer<String, @Nullable String> member) {
    members(1, member);
  }

  void end() {
    peek();
    if (at < json.length()) {
      throw broken("the end");
    }
  }

  private void members(int depth, BiConsumer<String, @Nullable String> member) {
    if (depth > DEEPEST) {
      throw broken("fewer than " + DEEPEST + " levels");
    }
    expect('{');
    if (peek() == '}') {
      at++;
      return;
    }
    do {
      peek();
      String name = string();
      expect(':');
      member.accept(name, value(depth));
    } while (goesOn('}'));
  }

  private @Nullable String value(int depth) {
    char first = peek();
    int start = at;
    switch (first) {
      case '"' -> {
        return string();
      }
      case '{' -> members(depth + 1, (name, value) -> {});
      case '[' -> elements(depth + 1);
      default -> literal();
    }
    String text = json.substring(start, at);
    return text.equals("null") ? null : text;
  }

  private void elements(int depth) {
    if (depth > DEEPEST) {
      throw broken("fewer than " + DEEPEST + " levels");
    }
    expect('[');
    if (peek() == ']') {
      at++;
      return;
    }
    do {
      value(depth);
    } while (goesOn(']'));
  }

  private void literal() {
    int start = at;
    while (at < json.length() && isLiteral(json.charAt(at))) {
      at++;
    }
    String text = json.substring(start, at);
    boolean word = text.equals("true") || text.equals("false") || text.equals("null");
    if (!word && !text.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
      at = start;
      throw broken("a value");
    }
  }

  private static boolean isLiteral(char c) {
    return "+-.".indexOf(c) >= 0 || Character.isLetterOrDigit(c);
  }

  private String string() {
    expectHere('"');
    int start = at;
    while (at < json.length() && isPlain(json.charAt(at))) {
      at++;
    }
    if (at < json.length() && json.charAt(at) == '"') {
      return json.substring(start, at++);
    }
    StringBuilder text = new StringBuilder().append(json, start, at);
    while (at < json.length()) {
      char c = json.charAt(at++);
      if (c == '"') {
        return text.toString();
      }
      if (c < ' ') {
        throw broken("an escaped control character");
      }
      text.append(c == '\\' ? escaped() : c);
    }
    throw broken("the end of a string");
  }

  private static boolean isPlain(char c) {
    return c != '"' && c != '\\' && c >= ' ';
  }

  private char escaped() {
    char c = at < json.length() ? json.charAt(at++) : 0;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> throw broken("an escape");
    };
  }

  private char unicode() {
    int end = at + 4;
    if (end > json.length() || !json.substring(at, end).matches("[0-9a-fA-F]{4}")) {
      throw broken("four hex digits");
    }
    char c = (char) Integer.parseInt(json.substring(at, end), 16);
    at = end;
    return c;
  }

  private boolean goesOn(char close) {
    char c = peek();
    if (c == close || c == ',') {
      at++;
      return c == ',';
    }
    throw broken("',' or '" + close + "'");
  }

  private void expect(char c) {
    peek();
    expectHere(c);
  }

  private void expectHere(char c) {
    if (at >= json.length() || json.charAt(at) != c) {
      throw broken("'" + c + "'");
    }
    at++;
  }

  /** The next character that is not white space, or 0 at the end. */
  private char peek() {
    while (at < json.length() && " \t\n\r".indexOf(json.charAt(at)) >= 0) {
      at++;
    }
    return at < json.length() ? json.charAt(at) : 0;
  }

  private IllegalArgumentException broken(String expected) {
    return new IllegalArgumentException(
        "headers are not a JSON object: expected %s at character %d of %d"
            .formatted(expected, at, json.length()));
  }
}
