package dev.outbox.benchmarks.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outbox.benchmarks.measure.Measures;
import dev.outbox.benchmarks.measure.Samples;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ReportTest {
  private static final Variant BATCH = Variant.NONE.with("batch", 100);
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Report report = new Report(new PrintStream(out, true, UTF_8), "drain", "postgres");

  @Test
  void a_ratio_is_one_line_with_its_terms_behind_it() {
    report.ratio(Variant.NONE, "outbox/raw", 0.834);
    report.ratio(BATCH.with("relays", 2), "outbox/raw", 0.8351);
    report.difference(Variant.NONE, "client CPU outbox-raw", 12.345);
    report.tellCompared();

    assertThat(said())
        .containsExactly(
            "ratio drain postgres outbox/raw 0.83",
            "ratio drain postgres outbox/raw 0.84  (batch=100 relays=2)",
            "difference drain postgres client CPU outbox-raw 12.35");
  }

  private List<String> said() {
    return out.toString(UTF_8).lines().toList();
  }

  @Test
  void json_holds_all_runs_medians_and_ratios(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("drain.json");
    report.surroundings("server", "a \"quoted\" one\n");
    report.medians(BATCH, "raw", samples(3, 1, 2));
    report.ratio(BATCH, "outbox/raw", 0.5);

    report.writeJson(file);

    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(json.at("/surroundings/server").asText()).isEqualTo("a \"quoted\" one\n");
    assertThat(json.at("/figures/0/median").asDouble()).isEqualTo(2);
    assertThat(json.at("/figures/0/variant/batch").asText()).isEqualTo("100");
    assertThat(json.at("/figures/0/runs").size()).isEqualTo(3);
    assertThat(json.at("/ratios/0/value").asDouble()).isEqualTo(0.5);
  }

  private static Samples samples(double... rates) {
    Samples samples = new Samples();
    for (double rate : rates) {
      samples.add(new Measures().put("rate", "msg/s", rate));
    }
    return samples;
  }

  @Test
  void bars_are_as_high_as_what_they_stand_for() throws Exception {
    report.medians(BATCH, "raw", samples(100));
    report.medians(BATCH, "outbox <ours> & fast", samples(50));
    BarChart chart = new BarChart("Drain", "msg/s");
    chart.bar("100", "raw", 100);
    chart.bar("100", "outbox <ours> & fast", 50);

    Document svg = parsed(chart.svg());

    List<Double> heights = new ArrayList<>();
    NodeList titles = svg.getElementsByTagName("title");
    for (int i = 0; i < titles.getLength(); i++) {
      Element bar = (Element) titles.item(i).getParentNode();
      heights.add(Double.valueOf(bar.getAttribute("height")));
    }
    assertThat(heights).containsExactly(290.0, 145.0);
    assertThat(titles.item(1).getTextContent()).isEqualTo("outbox <ours> & fast: 50 msg/s");
  }

  @Test
  void a_line_runs_from_left_to_right() throws Exception {
    LineChart chart = new LineChart("Steady", "window", "msg/s");
    chart.line("outbox", List.of(0.0, 10.0, 5.0));

    Element line = (Element) parsed(chart.svg()).getElementsByTagName("polyline").item(0);

    assertThat(line.getAttribute("points")).isEqualTo("80.0,340.0 300.0,50.0 520.0,195.0");
  }

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(UTF_8)));
  }

  @Test
  void a_scale_ends_at_a_round_number() {
    assertThat(Drawing.ceiling(0)).isEqualTo(1);
    assertThat(Drawing.ceiling(0.3)).isEqualTo(0.5);
    assertThat(Drawing.ceiling(101)).isEqualTo(200);
    assertThat(Drawing.ceiling(183_603)).isEqualTo(200_000);
    assertThat(Drawing.ceiling(600_000)).isEqualTo(1_000_000);
  }
}
