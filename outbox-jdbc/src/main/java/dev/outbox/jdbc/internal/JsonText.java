package dev.outbox.jdbc.internal;

/** Writes JSON strings. */
final class JsonText {
  private JsonText() {}

  static void string(StringBuilder json, String value) {
    json.append('"');
    for (int i = 0; i < value.length(); i++) {
      character(json, value.charAt(i));
    }
    json.append('"');
  }

  private static void character(StringBuilder json, char c) {
    if (c == '"' || c == '\\') {
      json.append('\\').append(c);
    } else if (c < ' ') {
      json.append(String.format("\\u%04x", (int) c));
    } else {
      json.append(c);
    }
  }
}
