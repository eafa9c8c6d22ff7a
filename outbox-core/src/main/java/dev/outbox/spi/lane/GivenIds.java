package dev.outbox.spi.lane;

/**
 * What the tables show of ids that were given before: the highest of them, and how the next id is
 * raised above it, in words for an operator.
 *
 * <p>Immutable.
 */
public record GivenIds(long highest, String remedy) {
  /** The tables show nothing. */
  public static final GivenIds NONE = new GivenIds(0, "");

  /** True when {@code next}, which is to be given next, was given before. */
  public boolean reach(long next) {
    return highest >= next;
  }
}
