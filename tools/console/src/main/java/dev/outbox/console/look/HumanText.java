package dev.outbox.console.look;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Numbers and times as people read them. */
public final class HumanText {
  private HumanText() {}

  /** As {@code 1,234}, or {@code 10,000+} where counting ended. */
  public static String count(long number, long bound) {
    return count(number, number >= bound);
  }

  /** As {@code 1,234}, or {@code 1,234+} where it is the least. */
  public static String count(long number, boolean least) {
    return String.format(Locale.ROOT, "%,d%s", number, least ? "+" : "");
  }

  /** As {@code 5 s}, {@code 3 min}, {@code 2 h} or {@code 4 d}; empty for null. */
  public static String age(@Nullable Duration age) {
    if (age == null) {
      return "";
    }
    Duration past = age.isNegative() ? age.negated() : age;
    if (past.compareTo(Duration.ofSeconds(1)) < 0) {
      return past.toMillis() + " ms";
    }
    if (past.compareTo(Duration.ofMinutes(2)) < 0) {
      return past.toSeconds() + " s";
    }
    if (past.compareTo(Duration.ofHours(2)) < 0) {
      return past.toMinutes() + " min";
    }
    return past.compareTo(Duration.ofDays(2)) < 0 ? past.toHours() + " h" : past.toDays() + " d";
  }

  /** As {@code 12.5/s}, or {@code ?} when it is not known. */
  public static String rate(@Nullable Double rate) {
    if (rate == null) {
      return "?";
    }
    return rate < 100
        ? String.format(Locale.ROOT, "%.1f/s", rate)
        : String.format(Locale.ROOT, "%,.0f/s", rate);
  }

  /** As {@code 0-3, 7}. */
  public static String ranges(Collection<Integer> numbers) {
    List<Integer> sorted = new ArrayList<>(new TreeSet<>(numbers));
    StringJoiner ranges = new StringJoiner(", ");
    for (int from = 0; from < sorted.size(); ) {
      int to = from;
      while (to + 1 < sorted.size() && sorted.get(to + 1) == sorted.get(to) + 1) {
        to++;
      }
      ranges.add(sorted.get(from) + (to == from ? "" : "-" + sorted.get(to)));
      from = to + 1;
    }
    return ranges.toString();
  }
}
