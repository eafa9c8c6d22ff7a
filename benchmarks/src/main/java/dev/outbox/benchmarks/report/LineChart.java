package dev.outbox.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Lines over the same steps, from 0 upwards.
 *
 * <p>Used by one thread.
 */
public final class LineChart implements Chart {
  private final String title;
  private final String across;
  private final String unit;
  private final Map<String, List<Double>> lines = new LinkedHashMap<>();

  public LineChart(String title, String across, String unit) {
    this.title = title;
    this.across = across;
    this.unit = unit;
  }

  /** Draws {@code values} from left to right; a later line of the same name replaces it. */
  public void line(String name, List<Double> values) {
    lines.put(name, new ArrayList<>(values));
  }

  @Override
  public String svg() {
    double most = Drawing.ceiling(all().mapToDouble(Double::doubleValue).max().orElse(1));
    Drawing drawing = new Drawing().title(title).scale(most, unit);
    int index = 0;
    for (Map.Entry<String, List<Double>> line : lines.entrySet()) {
      drawing.path(points(line.getValue(), most), Drawing.colour(index));
      drawing.legend(index, line.getKey());
      index++;
    }
    drawing.text((Drawing.LEFT + Drawing.RIGHT) / 2, Drawing.BOTTOM + 36, "middle", across);
    return drawing.svg();
  }

  private Stream<Double> all() {
    return lines.values().stream().flatMap(List::stream);
  }

  private static String points(List<Double> values, double most) {
    StringBuilder points = new StringBuilder();
    double step = (Drawing.RIGHT - Drawing.LEFT) / Math.max(1, values.size() - 1);
    for (int i = 0; i < values.size(); i++) {
      points.append(
          String.format(
              Locale.ROOT,
              "%.1f,%.1f ",
              Drawing.LEFT + step * i,
              Drawing.height(values.get(i), most)));
    }
    return points.toString().strip();
  }
}
