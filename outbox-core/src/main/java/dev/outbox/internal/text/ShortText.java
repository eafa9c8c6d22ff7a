package dev.outbox.internal.text;

import java.util.Collection;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeSet;

/** Numbers as an operator reads them in one line. */
public final class ShortText {
  private ShortText() {}

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
