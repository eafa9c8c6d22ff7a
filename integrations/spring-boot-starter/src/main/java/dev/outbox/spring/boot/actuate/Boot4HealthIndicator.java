package dev.outbox.spring.boot.actuate;

import dev.outbox.spring.boot.RelayLifecycle;
import java.util.Collection;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** The health of the relays on Spring Boot 4. */
public final class Boot4HealthIndicator implements HealthIndicator {
  private final Supplier<Collection<RelayLifecycle>> lifecycles;

  /** The health of the relays that these run. */
  public Boot4HealthIndicator(Supplier<Collection<RelayLifecycle>> lifecycles) {
    this.lifecycles = lifecycles;
  }

  @Override
  public Health health() {
    ReportedHealth relays = ReportedHealth.of(lifecycles.get());
    return (relays.isUp() ? Health.up() : Health.down()).withDetails(relays.details()).build();
  }
}
