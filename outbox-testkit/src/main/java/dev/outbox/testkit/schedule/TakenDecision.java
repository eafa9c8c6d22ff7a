package dev.outbox.testkit.schedule;

/** A decision as it was taken: inside so many pauses, when so many notes had been written. */
record TakenDecision(Decision decision, int depth, int notes) {}
