package dev.outbox.internal.text;

import java.util.Collection;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeSet;

/** What an operator reads in one line. */
public final class ShortText {
  private ShortText() {}

  /** The text with a space for each control character, so that it stays in its line of a log. */
  public static String oneLine(String text) {
    StringBuilder line = new StringBuilder(text);
    for (int i = 0; i < line.length(); i++) {
      if (isControl(line.charAt(i))) {
        line.setCharAt(i, ' ');
      }
    }
    return line.toString();
  }

  static boolean isControl(char c) {
    return Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
  }

  /** As {@code 0-15, 20}: each number once, in order; {@code none} without any. */
  public static String ranges(Collection<Integer> numbers) {
    StringJoiner ranges = new StringJoiner(", ").setEmptyValue("none");
    TreeSet<Integer> left = new TreeSet<>(numbers);
    while (!left.isEmpty()) {
      int first = left.first();
      int last = first;
      while (left.remove(last)) {
        last++;
      }
      last--;
      ranges.add(first == last ? "" + first : first + "-" + last);
    }
    return ranges.toString();
  }

  /**
   * As {@code ready 12, dead 1}: those that are not zero, as the map has them; or {@code empty}.
   */
  public static String counts(Map<String, ? extends Number> counts) {
    StringJoiner text = new StringJoiner(", ").setEmptyValue("empty");
    counts.forEach(
        (name, count) -> {
          if (count.longValue() != 0) {
            text.add(name + " " + count);
          }
        });
    return text.toString();
  }
}
