package dev.outbox.benchmarks.workload;

import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.measure.Samples;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.benchmarks.report.Variant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The ratios between contenders that ran together: ours over the hand-written of its kind, and over
 * each of the others.
 *
 * <p>Immutable.
 */
record Comparison(Map<String, Samples> samples) {
  private static final List<String> OURS = List.of("outbox", "outbox-rows");
  private static final List<String> WATCHED =
      List.of("outbox-metered", "outbox-carried", "outbox-traced", "outbox-only-sampled");
  private static final List<String> BOUNDS = List.of("raw", "raw-rows");

  static Comparison of(Map<Contender, Samples> samples) {
    Map<String, Samples> byName = new LinkedHashMap<>();
    samples.forEach((contender, each) -> byName.put(contender.name(), each));
    return new Comparison(byName);
  }

  /** Reports the ratios of speed, and of what the server writes. */
  void tell(Report report, Variant variant) {
    tell(report, variant, "rate", "");
    tell(
        report,
        variant,
        "rate from start to close",
        "rate from start to close ",
        Comparison::isByHand);
    tell(report, variant, "log", "log ");
    tell(report, variant, "log of insert and delete", "log of insert and delete ");
  }

  /** Reports the ratios of {@code quantity}, with {@code called} before their names. */
  void tell(Report report, Variant variant, String quantity, String called) {
    tell(report, variant, quantity, called, names -> true);
  }

  private void tell(
      Report report, Variant variant, String quantity, String called, Predicate<String> told) {
    pairs(
        quantity,
        (names, ours, other) -> {
          if (told.test(names)) {
            report.ratio(variant, called + names, Samples.median(ours) / Samples.median(other));
          }
        });
  }

  /** The start of the others is that of a framework. */
  private static boolean isByHand(String names) {
    return BOUNDS.stream().anyMatch(bound -> names.endsWith("/" + bound));
  }

  private static boolean isCompared(String ours, String other) {
    int bound = BOUNDS.indexOf(other);
    return bound < 0 ? !other.startsWith("outbox") : bound == OURS.indexOf(ours);
  }

  /** Reports the ratio of each round, as its median with its spread. */
  void tellPaired(Report report, Variant variant, String quantity) {
    pairs(quantity, (names, ours, other) -> tellPaired(report, variant, names, ours, other));
  }

  private static void tellPaired(
      Report report, Variant variant, String names, List<Double> ours, List<Double> other) {
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < ours.size(); round++) {
      ratios.add(ours.get(round) / other.get(round));
    }
    report.ratio(
        variant.with("pairs", ratios.size()).with("spread", spread(ratios)),
        names,
        Samples.median(ratios));
  }

  /** Reports the ratio of each round for what is watched, over the same that nothing watches. */
  void tellWatched(Report report, Variant variant, String quantity) {
    Samples alone = samples.get(OURS.get(0));
    for (String watched : WATCHED) {
      Samples each = samples.get(watched);
      if (alone != null && each != null) {
        tellPaired(
            report, variant, watched + "/" + OURS.get(0), each.of(quantity), alone.of(quantity));
      }
    }
  }

  private static String spread(List<Double> ratios) {
    return String.format(
        Locale.ROOT, "%.2f..%.2f", Collections.min(ratios), Collections.max(ratios));
  }

  /** Reports the ratios of what {@code quantity} is more than that of {@code base}. */
  void tellBeyond(Report report, Variant variant, String base, String quantity) {
    Samples alone = samples.get(base);
    if (alone == null || !alone.has(quantity)) {
      return;
    }
    double free = alone.median(quantity);
    pairs(
        quantity,
        (names, ours, other) -> {
          if (!names.endsWith("/" + base)) {
            report.ratio(
                variant,
                quantity + " beyond " + base + " " + names,
                (Samples.median(ours) - free) / (Samples.median(other) - free));
          }
        });
  }

  /** Reports by how much the medians of {@code quantity} differ. */
  void tellDifference(Report report, Variant variant, String quantity) {
    pairs(
        quantity,
        (names, ours, other) ->
            report.difference(
                variant,
                quantity + " " + names.replace('/', '-'),
                Samples.median(ours) - Samples.median(other)));
  }

  private interface Pair {
    void of(String names, List<Double> ours, List<Double> other);
  }

  private void pairs(String quantity, Pair pair) {
    for (String ours : OURS) {
      Samples own = samples.get(ours);
      if (own != null && own.has(quantity)) {
        samples.forEach(
            (other, each) -> {
              if (isCompared(ours, other) && each.has(quantity)) {
                pair.of(ours + "/" + other, own.of(quantity), each.of(quantity));
              }
            });
      }
    }
  }
}
