package dev.outbox.spring.boot;

import dev.outbox.Outbox;
import dev.outbox.message.EnqueueObserver;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * What the application sets of its outbox, by properties and beans: for an outbox that you make
 * yourself, beside the one that is there or in its place.
 *
 * <p>Safe for use by many threads.
 */
public final class OutboxSettings {
  private final BiConsumer<Outbox.Builder, Predicate<EnqueueObserver>> settings;

  /** Settings as {@code settings} makes them, with the observers that fit. */
  public OutboxSettings(BiConsumer<Outbox.Builder, Predicate<EnqueueObserver>> settings) {
    this.settings = settings;
  }

  /** Sets them of {@code builder}. */
  public void applyTo(Outbox.Builder builder) {
    applyTo(builder, any -> true);
  }

  /**
   * Sets them of {@code builder}, with those of the application's observers only that {@code fits}
   * accepts: {@code OutboxMetrics} is for one store, which may be another.
   */
  public void applyTo(Outbox.Builder builder, Predicate<EnqueueObserver> fits) {
    settings.accept(builder, fits);
  }
}
