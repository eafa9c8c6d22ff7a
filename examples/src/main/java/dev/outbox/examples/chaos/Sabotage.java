package dev.outbox.examples.chaos;

/** What relays do wrong on purpose, to see that the verdict is not blind. */
enum Sabotage {
  NONE,
  /** Now and then a message is answered as delivered and is not handed to the broker. */
  LOSE,
  /** Now and then a message is handed to the broker twice. */
  REPEAT,
  /** Messages are settled as delivered when they are read, before they are published. */
  EARLY
}
