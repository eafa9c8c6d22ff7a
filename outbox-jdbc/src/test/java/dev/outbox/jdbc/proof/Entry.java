package dev.outbox.jdbc.proof;

import java.util.List;

/**
 * One line of a journal: what a relay did, and when. {@code nanos} is the machine's monotonic
 * clock, the same for all its JVMs.
 *
 * <p>Immutable.
 */
record Entry(Kind kind, String relay, long nanos, long wallMillis, List<String> words) {
  private static final String SEPARATOR = "\t";

  /** What happened. */
  enum Kind {
    /** A relay started; words: its unique name. */
    OPENED,
    /** It closed; words: how many milliseconds that took. */
    CLOSED,
    /** A message was handed to the publisher; words of a passage. */
    ABOARD,
    /** The broker begins to receive a message; words of a passage. */
    BEGUN,
    /** The broker has it; words of a passage. */
    ENDED,
    /** A settle was written; words: delivered, parked, died, missing. */
    SETTLED,
    /** A lane was found to belong to another relay; words: the lane. */
    FENCED,
    /** A message became a dead letter; words: its id, the reason and the error. */
    DIED,
    /** Messages were found below the floor of a lane; words: the lane and how many. */
    FOUND_LATE,
    /** The database did not answer; words: the cause. */
    DOWN,
    /** Answers were ignored; words: how many. */
    IGNORED
  }

  Entry {
    words = List.copyOf(words);
  }

  static Entry now(Kind kind, String relay, List<String> words) {
    return new Entry(kind, relay, System.nanoTime(), System.currentTimeMillis(), words);
  }

  static Entry parse(String line) {
    List<String> parts = List.of(line.split(SEPARATOR, -1));
    return new Entry(
        Kind.valueOf(parts.get(0)),
        parts.get(1),
        Long.parseLong(parts.get(2)),
        Long.parseLong(parts.get(3)),
        parts.subList(4, parts.size()));
  }

  String line() {
    StringBuilder line = new StringBuilder();
    line.append(kind).append(SEPARATOR).append(relay);
    line.append(SEPARATOR).append(nanos).append(SEPARATOR).append(wallMillis);
    words.forEach(
        word -> line.append(SEPARATOR).append(word.replace('\t', ' ').replace('\n', ' ')));
    return line.append('\n').toString();
  }

  boolean isOfMessage() {
    return kind == Kind.ABOARD || kind == Kind.BEGUN || kind == Kind.ENDED;
  }

  /** The message, for the kinds that have one. */
  Passage passage() {
    return new Passage(words.get(0), words.get(1), words.get(2), Long.parseLong(words.get(3)));
  }

  /** A number among the words. */
  long number(int word) {
    return Long.parseLong(words.get(word));
  }
}
