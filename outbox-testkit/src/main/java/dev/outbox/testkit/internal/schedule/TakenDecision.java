package dev.outbox.testkit.internal.schedule;

/** A decision as it was taken: inside so many pauses, when so many notes had been written. */
public record TakenDecision(Decision decision, int depth, int notes) {}
