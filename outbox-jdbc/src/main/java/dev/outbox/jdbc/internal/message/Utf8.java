package dev.outbox.jdbc.internal.message;

/** Measures texts as they are sent. */
public final class Utf8 {
  private Utf8() {}

  /** The bytes of {@code text}, without encoding it. */
  public static int length(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // each half of a pair stands for two of its four bytes
      if (c < 0x80) {
        bytes += 1;
      } else {
        bytes += c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
      }
    }
    return bytes;
  }
}
