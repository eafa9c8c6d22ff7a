package dev.outbox.spring.boot;

import dev.outbox.Outbox;
import java.util.function.Consumer;

/**
 * What the application sets of its outbox, by properties and beans: for an outbox that you make
 * yourself, beside the one that is there or in its place.
 *
 * <p>Safe for use by many threads.
 */
public final class OutboxSettings {
  private final Consumer<Outbox.Builder> settings;

  /** Settings as {@code settings} makes them. */
  public OutboxSettings(Consumer<Outbox.Builder> settings) {
    this.settings = settings;
  }

  /** Sets them of {@code builder}. */
  public void applyTo(Outbox.Builder builder) {
    settings.accept(builder);
  }
}
