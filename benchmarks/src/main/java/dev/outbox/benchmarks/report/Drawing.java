package dev.outbox.benchmarks.report;

import java.util.Locale;

/**
 * The pieces of an SVG document of 720 by 400, with a frame for a plot in it.
 *
 * <p>Used by one thread.
 */
final class Drawing {
  static final double LEFT = 80;
  static final double RIGHT = 520;
  static final double TOP = 50;
  static final double BOTTOM = 340;
  private static final int TICKS = 5;
  private static final String[] COLOURS = {
    "#1b6ca8", "#d1495b", "#2e8b57", "#edae49", "#6a4c93", "#00798c", "#8d5524", "#555555"
  };

  private final StringBuilder body = new StringBuilder();

  static String colour(int index) {
    return COLOURS[index % COLOURS.length];
  }

  /** A round number that is not below {@code value}: 1, 2 or 5 times a power of ten. */
  static double ceiling(double value) {
    if (value <= 0) {
      return 1;
    }
    double power = Math.pow(10, Math.floor(Math.log10(value)));
    for (double factor : new double[] {1, 2, 5}) {
      if (value <= factor * power) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  static double height(double value, double most) {
    return BOTTOM - (BOTTOM - TOP) * value / most;
  }

  Drawing title(String text) {
    text((LEFT + RIGHT) / 2, 28, "middle", text);
    return this;
  }

  /** The frame and the lines of the vertical axis, from 0 to {@code most}. */
  Drawing scale(double most, String unit) {
    for (int tick = 0; tick <= TICKS; tick++) {
      double value = most * tick / TICKS;
      double y = height(value, most);
      line(LEFT, y, RIGHT, y, "#dddddd");
      text(LEFT - 6, y + 4, "end", number(value));
    }
    text(LEFT, TOP - 8, "start", unit);
    line(LEFT, BOTTOM, RIGHT, BOTTOM, "#333333");
    return this;
  }

  void line(double x1, double y1, double x2, double y2, String colour) {
    add("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s'/>", x1, y1, x2, y2, colour);
  }

  void bar(double x, double y, double width, String colour, String label) {
    add(
        "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='%s'><title>%s</title></rect>",
        x, y, width, BOTTOM - y, colour, escaped(label));
  }

  void path(String points, String colour) {
    add("<polyline points='%s' fill='none' stroke='%s' stroke-width='2'/>", points, colour);
  }

  /** The name of series {@code index}, beside the plot. */
  void legend(int index, String name) {
    double y = TOP + 18.0 * index;
    add("<rect x='%.1f' y='%.1f' width='12' height='12' fill='%s'/>", RIGHT + 16, y, colour(index));
    text(RIGHT + 34, y + 10, "start", name);
  }

  void text(double x, double y, String anchor, String text) {
    add("<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>", x, y, anchor, escaped(text));
  }

  private void add(String format, Object... values) {
    body.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  static String number(double value) {
    return value >= 1000 || value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.3g", value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  String svg() {
    return """
        <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 720 400' font-family='sans-serif' font-size='12'>
        <rect width='720' height='400' fill='white'/>
        """
        + body
        + "</svg>\n";
  }
}
