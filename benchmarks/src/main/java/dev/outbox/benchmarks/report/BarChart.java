package dev.outbox.benchmarks.report;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Groups of bars, one bar of each series in a group.
 *
 * <p>Used by one thread.
 */
public final class BarChart implements Chart {
  private static final double GAP = 0.2;

  private final String title;
  private final String unit;
  private final Map<String, Map<String, Double>> groups = new LinkedHashMap<>();
  private final Set<String> series = new LinkedHashSet<>();

  public BarChart(String title, String unit) {
    this.title = title;
    this.unit = unit;
  }

  public void bar(String group, String name, double value) {
    groups.computeIfAbsent(group, any -> new LinkedHashMap<>()).put(name, value);
    series.add(name);
  }

  @Override
  public String svg() {
    double most =
        Drawing.ceiling(
            groups.values().stream()
                .flatMap(group -> group.values().stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(1));
    Drawing drawing = new Drawing().title(title).scale(most, unit);
    double width = (Drawing.RIGHT - Drawing.LEFT) / Math.max(1, groups.size());
    double left = Drawing.LEFT;
    for (Map.Entry<String, Map<String, Double>> group : groups.entrySet()) {
      bars(drawing, group.getValue(), left, width, most);
      name(drawing, left + width / 2, group.getKey());
      left += width;
    }
    int index = 0;
    for (String name : series) {
      drawing.legend(index++, name);
    }
    return drawing.svg();
  }

  /** The values of a group that has several, below each other: there may be no room beside. */
  private static void name(Drawing drawing, double x, String group) {
    double y = Drawing.BOTTOM + 18;
    for (String value : group.split(" / ", -1)) {
      drawing.text(x, y, "middle", value);
      y += 15;
    }
  }

  private void bars(
      Drawing drawing, Map<String, Double> group, double left, double width, double most) {
    double bar = width * (1 - GAP) / Math.max(1, series.size());
    double x = left + width * GAP / 2;
    int index = 0;
    for (String name : series) {
      Double value = group.get(name);
      if (value != null) {
        drawing.bar(
            x,
            Drawing.height(value, most),
            bar,
            Drawing.colour(index),
            name + ": " + Drawing.number(value) + " " + unit);
      }
      x += bar;
      index++;
    }
  }
}
