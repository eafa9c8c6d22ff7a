package dev.outbox.monitoring.metrics;

import dev.outbox.monitoring.metrics.Dashboard.Panel;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A dashboard as a picture: its panels at their places, with what was answered to their queries.
 */
final class Panels {
  private static final int COLUMN = 50;
  private static final int ROW = 26;
  private static final int PAD = 12;
  private static final int HEADLINE = 26;
  private static final int LEGEND = 24;
  private static final String[] COLOURS = {
    "#1b6ca8", "#d1495b", "#2e8b57", "#edae49", "#6a4c93", "#00798c", "#8d5524", "#555555"
  };

  private final StringBuilder body = new StringBuilder();
  private int height;

  /** Where a panel is drawn. */
  private record Frame(double left, double top, double right, double bottom) {
    double x(double second, double most) {
      return left + (right - left) * second / most;
    }

    double y(double value, double most) {
      return bottom - (bottom - top) * value / most;
    }
  }

  /** A panel with its series: by name their points, as second and value. */
  void draw(Panel panel, Map<String, List<double[]>> series) {
    int x = panel.place().x() * COLUMN;
    int y = panel.place().y() * ROW;
    int width = panel.place().width() * COLUMN;
    int tall = panel.place().height() * ROW;
    height = Math.max(height, y + tall);
    if (panel.type().equals("row")) {
      text(x + PAD, y + 18, "start", 15, panel.title());
      return;
    }
    add(
        "<rect x='%d' y='%d' width='%d' height='%d' fill='white' stroke='#dddddd'/>",
        x + 2, y + 2, width - 4, tall - 4);
    text(x + PAD, y + 18, "start", 12, panel.title());
    if (panel.type().equals("stat")) {
      stat(panel, series, x + width / 2.0, y + tall / 2.0 + 14);
    } else {
      Frame frame = new Frame(x + 56, y + HEADLINE + 6, x + width - PAD, y + tall - LEGEND - 6.0);
      lines(panel, series, frame);
    }
  }

  private void stat(Panel panel, Map<String, List<double[]>> series, double x, double y) {
    List<double[]> points = series.values().stream().findFirst().orElse(List.of());
    String last =
        points.isEmpty() ? "no data" : value(points.get(points.size() - 1)[1], panel.unit());
    text(x, y, "middle", 28, last);
  }

  private void lines(Panel panel, Map<String, List<double[]>> series, Frame frame) {
    double seconds = most(series, 0);
    double most = Math.max(most(series, 1), 1e-3) * 1.05;
    for (int tick = 0; tick <= 2; tick++) {
      double y = frame.y(most * tick / 2, most);
      add(
          "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#eeeeee'/>",
          frame.left(), y, frame.right(), y);
      text(frame.left() - 6, y + 4, "end", 10, value(most * tick / 2, panel.unit()));
    }
    int colour = 0;
    double legend = frame.left() - 40;
    for (Map.Entry<String, List<double[]>> one : series.entrySet()) {
      String stroke = COLOURS[colour++ % COLOURS.length];
      line(one.getValue(), frame, seconds, most, stroke);
      add(
          "<rect x='%.1f' y='%.1f' width='8' height='8' fill='%s'/>",
          legend, frame.bottom() + 12, stroke);
      text(legend + 12, frame.bottom() + 20, "start", 10, one.getKey());
      legend += 24 + 5.6 * one.getKey().length();
    }
  }

  private void line(
      List<double[]> points, Frame frame, double seconds, double most, String stroke) {
    StringBuilder path = new StringBuilder();
    for (double[] point : points) {
      path.append(
          String.format(
              Locale.ROOT, "%.1f,%.1f ", frame.x(point[0], seconds), frame.y(point[1], most)));
    }
    add("<polyline points='%s' fill='none' stroke='%s' stroke-width='1.5'/>", path, stroke);
  }

  private static double most(Map<String, List<double[]>> series, int axis) {
    return series.values().stream()
        .flatMap(List::stream)
        .mapToDouble(point -> point[axis])
        .max()
        .orElse(1);
  }

  private static String value(double value, String unit) {
    if (unit.equals("s") && value < 1) {
      return String.format(Locale.ROOT, "%.3g ms", value * 1000);
    }
    String number = String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.3g", value);
    return number + (unit.equals("short") ? "" : unit.equals("mps") ? "/s" : " " + unit);
  }

  private void text(double x, double y, String anchor, int size, String text) {
    String escaped = text.replace("&", "&amp;").replace("<", "&lt;");
    add(
        "<text x='%.1f' y='%.1f' text-anchor='%s' font-size='%d'>%s</text>",
        x, y, anchor, size, escaped);
  }

  private void add(String format, Object... values) {
    body.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  String svg() {
    return """
        <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %1$d %2$d' font-family='sans-serif'>
        <rect width='%1$d' height='%2$d' fill='#f4f5f7'/>
        """
            .formatted(24 * COLUMN, height)
        + body
        + "</svg>\n";
  }
}
