package dev.outbox.spring.boot.actuate;

import dev.outbox.Relay;
import dev.outbox.RelayStatus;
import dev.outbox.spring.boot.RelayLifecycle;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What health reports of a relay. DEGRADED is up: it works, but not for everything, and another
 * instance would fare no better, so no load balancer may take it out.
 */
record ReportedHealth(boolean isUp, Map<String, Object> details) {
  static ReportedHealth of(RelayLifecycle lifecycle) {
    return lifecycle
        .relay()
        .map(Relay::status)
        .map(ReportedHealth::of)
        .orElseGet(() -> new ReportedHealth(true, Map.of("relay", "none runs here")));
  }

  private static ReportedHealth of(RelayStatus status) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("relay", status.name());
    details.put("health", status.health());
    if (!status.reason().isEmpty()) {
      details.put("reason", status.reason());
    }
    return new ReportedHealth(status.health() != RelayStatus.Health.DOWN, details);
  }
}
