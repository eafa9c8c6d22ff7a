package dev.outbox.spring.boot.actuate;

import dev.outbox.spring.boot.RelayLifecycle;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** The health of the relay on Spring Boot 4. */
public final class Boot4HealthIndicator implements HealthIndicator {
  private final RelayLifecycle lifecycle;

  /** The health of the relay that {@code lifecycle} runs. */
  public Boot4HealthIndicator(RelayLifecycle lifecycle) {
    this.lifecycle = lifecycle;
  }

  @Override
  public Health health() {
    ReportedHealth relay = ReportedHealth.of(lifecycle);
    return (relay.isUp() ? Health.up() : Health.down()).withDetails(relay.details()).build();
  }
}
