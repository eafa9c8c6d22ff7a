package dev.outbox.spi;

import java.time.Instant;
import java.util.Objects;

/**
 * What one batch of a purge has deleted, and where the next one may begin: nothing that was
 * completed before {@code upTo} was seen any more.
 *
 * <p>Immutable.
 */
public record Purged(int messages, Instant upTo) {
  public Purged {
    Objects.requireNonNull(upTo, "upTo");
  }
}
