package dev.outbox.monitoring.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outbox.micrometer.OutboxMetrics;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** The dashboard of the module, panel by panel. */
record Dashboard(List<Panel> panels) {
  /** A panel at its place in a grid of 24 columns; a row is a headline. */
  record Panel(String type, String title, String unit, Place place, List<Query> queries) {}

  /** Where a panel is. */
  record Place(int x, int y, int width, int height) {}

  /** What is asked, as Prometheus gets it, and how its series are named. */
  record Query(String expression, String legend) {}

  static Dashboard read() throws IOException {
    try (InputStream json = OutboxMetrics.class.getResourceAsStream("dashboard.json")) {
      List<Panel> panels = new ArrayList<>();
      new ObjectMapper().readTree(json).path("panels").forEach(each -> panels.add(panel(each)));
      return new Dashboard(panels);
    }
  }

  private static Panel panel(JsonNode panel) {
    JsonNode grid = panel.path("gridPos");
    List<Query> queries = new ArrayList<>();
    panel.path("targets").forEach(each -> queries.add(query(each)));
    return new Panel(
        panel.path("type").asText(),
        panel.path("title").asText(),
        panel.path("fieldConfig").path("defaults").path("unit").asText(),
        new Place(
            grid.path("x").asInt(),
            grid.path("y").asInt(),
            grid.path("w").asInt(),
            grid.path("h").asInt()),
        queries);
  }

  /** Grafana puts values in place of its variables. */
  private static Query query(JsonNode target) {
    String expression =
        target.path("expr").asText().replace("$job", ".*").replace("$__rate_interval", "4s");
    return new Query(expression, target.path("legendFormat").asText());
  }
}
