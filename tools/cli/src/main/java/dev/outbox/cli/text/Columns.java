package dev.outbox.cli.text;

import java.util.ArrayList;
import java.util.List;

/**
 * How many columns of a terminal a text takes: Chinese, Japanese and Korean characters and most
 * emoji take two, a combining accent takes none.
 */
public final class Columns {
  private static final String CUT = "\u2026";

  /**
   * The first and the last of each range that is wide or full-width in Unicode's East Asian list.
   */
  private static final int[][] WIDE = {
    {0x1100, 0x115F},
    {0x231A, 0x231B},
    {0x2329, 0x232A},
    {0x23E9, 0x23EC},
    {0x2E80, 0x303E},
    {0x3041, 0x33FF},
    {0x3400, 0x4DBF},
    {0x4E00, 0xA4CF},
    {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},
    {0xFE10, 0xFE19},
    {0xFE30, 0xFE6F},
    {0xFF01, 0xFF60},
    {0xFFE0, 0xFFE6},
    {0x16FE0, 0x18DFF},
    {0x1AFF0, 0x1B2FF},
    {0x1F300, 0x1F64F},
    {0x1F680, 0x1F6FF},
    {0x1F7E0, 0x1F7EB},
    {0x1F900, 0x1F9FF},
    {0x1FA70, 0x1FAFF},
    {0x20000, 0x3FFFD},
  };

  private Columns() {}

  static int of(String text) {
    return text.codePoints().map(Columns::of).sum();
  }

  private static int of(int sign) {
    int type = Character.getType(sign);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    for (int[] range : WIDE) {
      if (sign >= range[0] && sign <= range[1]) {
        return 2;
      }
    }
    return 1;
  }

  /** The text, or its beginning with an ellipsis where it takes more than {@code most} columns. */
  public static String cut(String text, int most) {
    if (of(text) <= most) {
      return text;
    }
    int end = 0;
    int left = most - 1;
    while (left >= of(text.codePointAt(end))) {
      left -= of(text.codePointAt(end));
      end = text.offsetByCodePoints(end, 1);
    }
    return text.substring(0, end) + CUT;
  }

  /** The same, but what is left out is in the middle: names differ at their ends. */
  static String cutWithin(String text, int most) {
    if (of(text) <= most) {
      return text;
    }
    int begin = text.length();
    int left = most / 2;
    while (left >= of(text.codePointBefore(begin))) {
      left -= of(text.codePointBefore(begin));
      begin = text.offsetByCodePoints(begin, -1);
    }
    String end = text.substring(begin);
    return cut(text, most - of(end)) + end;
  }

  /** The text in lines of at most that many columns, which end between words. */
  public static List<String> wrapped(String text, int columns) {
    List<String> lines = new ArrayList<>();
    String line = "";
    for (String word : text.split(" ", -1)) {
      String longer = line.isEmpty() ? word : line + " " + word;
      if (line.isEmpty() || of(longer) <= columns) {
        line = longer;
      } else {
        lines.add(cut(line, columns));
        line = word;
      }
    }
    lines.add(cut(line, columns));
    return lines;
  }

  /** The text with spaces behind it up to that many columns. */
  public static String padded(String text, int columns) {
    return text + " ".repeat(Math.max(0, columns - of(text)));
  }
}
