package dev.outbox.spi;

import dev.outbox.Claiming;
import java.time.Duration;

/**
 * What a store is about to be used for, for its doctor.
 *
 * <p>Immutable. {@code connections} is how many it holds at a time, {@code lease} how long its
 * leases are.
 */
public record Usage(Role role, Claiming claiming, int connections, Duration lease) {
  /** What asks. */
  public enum Role {
    /** An application that enqueues. */
    WRITER,
    /** A relay. */
    RELAY,
    /** A person or tool that looks after dead letters. */
    OPERATOR,
    /** A log reader that reads the tables instead of a relay. */
    CAPTURE
  }
}
