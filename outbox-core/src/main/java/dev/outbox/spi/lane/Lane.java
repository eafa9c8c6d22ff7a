package dev.outbox.spi.lane;

/**
 * One of a fixed number of shards of the outbox; the unit of leasing. All messages of a key share a
 * lane.
 *
 * <p>Immutable.
 */
public record Lane(int number) implements Comparable<Lane> {
  /**
   * @throws IllegalArgumentException when the number is negative
   */
  public Lane {
    if (number < 0) {
      throw new IllegalArgumentException("lane is " + number + ", the minimum is 0");
    }
  }

  @Override
  public int compareTo(Lane other) {
    return Integer.compare(number, other.number);
  }

  // written out, as every message asks them: those that the compiler makes for a record are slow
  // until they are warm
  @Override
  public boolean equals(Object other) {
    return other instanceof Lane lane && lane.number == number;
  }

  @Override
  public int hashCode() {
    return number;
  }

  @Override
  public String toString() {
    return Integer.toString(number);
  }
}
