package dev.outbox.benchmarks.report;

import dev.outbox.benchmarks.contender.Contender;
import dev.outbox.benchmarks.contender.Tuning;
import dev.outbox.benchmarks.measure.Measures;
import dev.outbox.benchmarks.measure.Measures.Quantity;
import dev.outbox.benchmarks.measure.Samples;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * All that one run of the program says: printed at once, ratios at the end, and kept for the JSON
 * and the plots.
 *
 * <p>Used by one thread.
 */
public final class Report {
  private final PrintStream out;
  private final String workload;
  private final String database;
  private final Map<String, String> surroundings = new LinkedHashMap<>();
  private final List<Figure> figures = new ArrayList<>();
  private final List<Ratio> ratios = new ArrayList<>();
  private final Map<String, Chart> charts = new LinkedHashMap<>();

  public Report(PrintStream out, String workload, String database) {
    this.out = out;
    this.workload = workload;
    this.database = database;
  }

  /** Says something about where and how it is measured. */
  public void surroundings(String name, String value) {
    surroundings.put(name, value);
    out.println(name + ": " + value);
  }

  /** Says how contenders are set. */
  public void settings(List<Contender> contenders, Tuning tuning) {
    String terms = " (batch " + tuning.batch() + ", relays " + tuning.relays() + ")";
    contenders.forEach(each -> surroundings(each.name() + terms, each.settings(tuning)));
  }

  /** Says what one run gave. */
  public void run(Variant variant, Contender contender, int round, Measures measures) {
    StringBuilder line = new StringBuilder();
    for (Quantity quantity : measures.quantities()) {
      line.append(line.isEmpty() ? "" : ", ").append(said(quantity, measures.get(quantity)));
    }
    out.printf(
        "%s %s %s %s round %d: %s%n", workload, database, contender.name(), variant, round, line);
  }

  /** Keeps and says the medians of one contender. */
  public void medians(Variant variant, String contender, Samples samples) {
    StringBuilder line = new StringBuilder();
    for (Quantity quantity : samples.quantities()) {
      List<Double> runs = samples.of(quantity.name());
      double median = Samples.median(runs);
      figures.add(
          new Figure(
              workload,
              database,
              variant,
              contender,
              quantity.name(),
              quantity.unit(),
              median,
              runs));
      line.append(line.isEmpty() ? "" : ", ").append(said(quantity, median));
    }
    out.printf("%s %s %s %s MEDIAN: %s%n", workload, database, contender, variant, line);
  }

  /** Keeps a ratio. */
  public void ratio(Variant variant, String what, double value) {
    compared(new Ratio(Ratio.Kind.RATIO, workload, database, what, variant, value));
  }

  /** Keeps a difference. */
  public void difference(Variant variant, String what, double value) {
    compared(new Ratio(Ratio.Kind.DIFFERENCE, workload, database, what, variant, value));
  }

  private void compared(Ratio ratio) {
    ratios.add(ratio);
  }

  /** Says all that was compared: the last of what a run says. */
  public void tellCompared() {
    ratios.forEach(ratio -> out.println(ratio.line()));
  }

  /** Says a line. */
  public void line(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }

  /** Keeps a plot under {@code name}. */
  public void chart(String name, Chart chart) {
    charts.put(workload + "-" + database + (name.isEmpty() ? "" : "-" + name), chart);
  }

  private static String said(Quantity quantity, double value) {
    String number =
        Math.abs(value) >= 100
            ? String.format(Locale.ROOT, "%,.0f", value)
            : String.format(Locale.ROOT, "%.3g", value);
    return quantity.name() + " " + number + " " + quantity.unit();
  }

  /** Writes all figures and ratios. */
  public void writeJson(Path file) throws IOException {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("workload", workload);
    all.put("database", database);
    all.put("surroundings", surroundings);
    all.put("figures", figures.stream().map(Report::fields).toList());
    all.put("ratios", ratios.stream().map(Report::fields).toList());
    Files.writeString(file, Json.write(all) + "\n");
  }

  private static Map<String, Object> fields(Figure figure) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("variant", figure.variant().terms());
    fields.put("contender", figure.contender());
    fields.put("quantity", figure.quantity());
    fields.put("unit", figure.unit());
    fields.put("median", figure.median());
    fields.put("runs", figure.runs());
    return fields;
  }

  private static Map<String, Object> fields(Ratio ratio) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", ratio.kind());
    fields.put("what", ratio.what());
    fields.put("variant", ratio.variant().terms());
    fields.put("value", ratio.value());
    return fields;
  }

  /** Plots the medians of {@code quantity} as bars, one group for each variant. */
  public void bars(String name, String title, String quantity) {
    List<Figure> drawn = figures.stream().filter(each -> each.quantity().equals(quantity)).toList();
    if (!drawn.isEmpty()) {
      BarChart chart = new BarChart(title + ", " + database, drawn.get(0).unit());
      for (Figure figure : drawn) {
        String group = String.join(" / ", figure.variant().terms().values());
        chart.bar(group, figure.contender(), figure.median());
      }
      chart(name, chart);
    }
  }

  /** Writes each plot into {@code folder}. */
  public void writePlots(Path folder) throws IOException {
    Files.createDirectories(folder);
    for (Map.Entry<String, Chart> entry : charts.entrySet()) {
      Files.writeString(folder.resolve(entry.getKey() + ".svg"), entry.getValue().svg());
    }
  }
}
