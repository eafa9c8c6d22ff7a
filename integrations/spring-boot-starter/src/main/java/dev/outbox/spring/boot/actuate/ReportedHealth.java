package dev.outbox.spring.boot.actuate;

import dev.outbox.Relay;
import dev.outbox.RelayStatus;
import dev.outbox.spring.boot.RelayLifecycle;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What health reports of the relays of an application: of several, each by its name. DEGRADED is
 * up: a relay works, but not for everything, and another instance would fare no better, so no load
 * balancer may take it out.
 */
record ReportedHealth(boolean isUp, Map<String, Object> details) {
  static ReportedHealth of(Collection<RelayLifecycle> lifecycles) {
    List<RelayStatus> relays =
        lifecycles.stream()
            .flatMap(lifecycle -> lifecycle.relay().stream())
            .map(Relay::status)
            .toList();
    Map<String, Object> details = new LinkedHashMap<>();
    if (relays.isEmpty()) {
      details.put("relay", "none runs here");
    } else if (relays.size() == 1) {
      details.put("relay", relays.get(0).name());
      details.putAll(detailsOf(relays.get(0)));
    } else {
      relays.forEach(relay -> details.put(relay.name(), detailsOf(relay)));
    }
    return new ReportedHealth(relays.stream().allMatch(ReportedHealth::isUp), details);
  }

  private static boolean isUp(RelayStatus relay) {
    return relay.health() != RelayStatus.Health.DOWN;
  }

  private static Map<String, Object> detailsOf(RelayStatus relay) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("health", relay.health());
    if (!relay.reason().isEmpty()) {
      details.put("reason", relay.reason());
    }
    return details;
  }
}
