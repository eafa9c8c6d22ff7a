package dev.outbox.monitoring.trace;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One trace as a picture: a line for each span, below each other by their beginnings. */
final class Waterfall {
  private static final int WIDTH = 800;
  private static final int LEFT = 190;
  private static final int RIGHT = 660;
  private static final int TOP = 50;
  private static final int ROW = 34;
  private static final int BAR = 18;
  private static final int TICKS = 5;
  private static final Map<String, String> COLOURS =
      Map.of(
          "SERVER", "#1b6ca8", "PRODUCER", "#2e8b57", "CLIENT", "#edae49", "CONSUMER", "#d1495b");

  private final List<SeenSpan> spans;
  private final long began;
  private final double millis;
  private final int bottom;
  private final StringBuilder body = new StringBuilder();

  Waterfall(List<SeenSpan> trace) {
    this.spans = trace.stream().sorted(Comparator.comparingLong(SeenSpan::began)).toList();
    this.began = spans.get(0).began();
    long ended = trace.stream().mapToLong(SeenSpan::ended).max().orElseThrow();
    this.millis = Math.ceil((ended - began) / 1e6 * 2) / 2;
    this.bottom = TOP + ROW * spans.size();
  }

  String svg() {
    ticks();
    for (int row = 0; row < spans.size(); row++) {
      span(row, spans.get(row));
    }
    return """
        <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %1$d %2$d' font-family='sans-serif' font-size='13'>
        <rect width='%1$d' height='%2$d' fill='white'/>
        """
            .formatted(WIDTH, bottom + 16)
        + body
        + "</svg>\n";
  }

  private void ticks() {
    for (int tick = 0; tick <= TICKS; tick++) {
      double x = LEFT + (RIGHT - LEFT) * (double) tick / TICKS;
      add("<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='#dddddd'/>", x, TOP - 8, x, bottom);
      add(
          "<text x='%.1f' y='%d' text-anchor='middle' fill='#555555'>%.1f ms</text>",
          x, TOP - 16, millis * tick / TICKS);
    }
  }

  private void span(int row, SeenSpan span) {
    int y = TOP + ROW * row + (ROW - BAR) / 2;
    double from = x(span.began());
    double to = Math.max(x(span.ended()), from + 2);
    above(row, span, from);
    String colour = COLOURS.getOrDefault(span.kind(), "#555555");
    add("<text x='%d' y='%d' text-anchor='end'>%s</text>", LEFT - 12, y + 14, span.name());
    add(
        "<rect x='%.1f' y='%d' width='%.1f' height='%d' rx='2' fill='%s'/>",
        from, y, to - from, BAR, colour);
    add(
        "<text x='%.1f' y='%d' font-size='11' fill='#555555'>%.2f ms, %s</text>",
        to + 6, y + 13, (span.ended() - span.began()) / 1e6, span.kind().toLowerCase(Locale.ROOT));
  }

  /** A line from the span that it hangs below. */
  private void above(int row, SeenSpan span, double x) {
    for (int other = 0; other < row; other++) {
      if (spans.get(other).id().equals(span.parent())) {
        int from = TOP + ROW * other + (ROW + BAR) / 2;
        int to = TOP + ROW * row + ROW / 2;
        double left = x(spans.get(other).began()) + 1;
        add("<path d='M%.1f %d V%d H%.1f' fill='none' stroke='#999999'/>", left, from, to, x);
      }
    }
  }

  private double x(long nanos) {
    return LEFT + (RIGHT - LEFT) * ((nanos - began) / 1e6) / millis;
  }

  private void add(String format, Object... values) {
    body.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
