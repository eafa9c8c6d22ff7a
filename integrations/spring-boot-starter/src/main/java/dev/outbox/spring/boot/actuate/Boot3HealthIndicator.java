package dev.outbox.spring.boot.actuate;

import dev.outbox.spring.boot.RelayLifecycle;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** The health of the relay on Spring Boot 3. */
public final class Boot3HealthIndicator implements HealthIndicator {
  private final RelayLifecycle lifecycle;

  /** The health of the relay that {@code lifecycle} runs. */
  public Boot3HealthIndicator(RelayLifecycle lifecycle) {
    this.lifecycle = lifecycle;
  }

  @Override
  public Health health() {
    ReportedHealth relay = ReportedHealth.of(lifecycle);
    return (relay.isUp() ? Health.up() : Health.down()).withDetails(relay.details()).build();
  }
}
