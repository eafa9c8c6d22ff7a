package dev.outbox.store;

/**
 * How the tables are laid out: written once by the schema, read when a store is opened, changed
 * offline only.
 *
 * <p>Immutable. With row claims there is one lane.
 */
public record Layout(int schemaVersion, int lanes, Claiming claiming) {
  /** The most lanes an outbox can have. */
  public static final int MAX_LANES = 1024;

  /**
   * @throws IllegalArgumentException when there are no lanes or more than {@value #MAX_LANES}, or
   *     several with row claims
   */
  public Layout {
    if (lanes < 1 || lanes > MAX_LANES) {
      throw new IllegalArgumentException("lanes is " + lanes + ", it must be 1 to " + MAX_LANES);
    }
    if (claiming == Claiming.ROWS && lanes != 1) {
      throw new IllegalArgumentException("row claims have 1 lane, not " + lanes);
    }
  }
}
