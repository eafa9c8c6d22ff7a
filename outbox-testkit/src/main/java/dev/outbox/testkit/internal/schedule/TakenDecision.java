package dev.outbox.testkit.internal.schedule;

/** A decision as it was taken: inside that many pauses, when that many notes had been written. */
public record TakenDecision(Decision decision, int depth, int notes) {}
