package dev.outbox.rabbitmq;

import java.util.Objects;

/**
 * Where a message goes: the name of an exchange, empty for the default one, and the routing key.
 *
 * <p>Immutable.
 */
public record Destination(String exchange, String routingKey) {
  /** Neither is null. */
  public Destination {
    Objects.requireNonNull(exchange, "exchange");
    Objects.requireNonNull(routingKey, "routingKey");
  }

  /** The queue of this name, by the default exchange. */
  public static Destination queue(String name) {
    return new Destination("", name);
  }

  @Override
  public String toString() {
    return exchange.isEmpty()
        ? "queue '%s'".formatted(routingKey)
        : "exchange '%s' with routing key '%s'".formatted(exchange, routingKey);
  }
}
