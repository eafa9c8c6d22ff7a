package dev.outbox.programs;

import java.time.Instant;

/** What all programs place. */
public record Order(String id, int cents, Instant placedAt) {}
