package dev.outbox.cluster;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;

/**
 * Which of several clusters this is: how many there are, this one's number from 0 on, and how long
 * another may be silent before its messages are taken over.
 *
 * <p>Immutable. A cluster is a database with its own writers, relays and consumers; what is in its
 * tables reaches the others with a delay.
 *
 * <pre>{@code
 * Clusters two = Clusters.of(2, 0); // this is the first of two
 * Clusters same = Clusters.fromEnvironment();
 * Clusters given = Clusters.from(Map.of("CLUSTERS_COUNT", "2", "CLUSTER_ID", "0"));
 * Relay relay = Relay.builder(store, publisher).clusters(two).start();
 * }</pre>
 */
public record Clusters(int count, int id, Duration maximumDelay) {
  /** The most clusters. */
  public static final int MOST = 16;

  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofDays(7);

  /** One database, with no other cluster to take over from. */
  public static final Clusters ONE = new Clusters(1, 0, Duration.ofMinutes(10));

  /**
   * @throws IllegalArgumentException when the count is not 1 to {@value #MOST}, the id not one of 0
   *     to count - 1, or the delay not 100 ms to 7 days
   */
  public Clusters {
    check(count, id);
    if (maximumDelay.compareTo(SHORTEST) < 0 || maximumDelay.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "maximumDelay is %s, it must be %s to %s".formatted(maximumDelay, SHORTEST, LONGEST));
    }
  }

  /** Cluster {@code id} of {@code count}, with a maximum delay of 10 minutes. */
  public static Clusters of(int count, int id) {
    return new Clusters(count, id, ONE.maximumDelay());
  }

  private static void check(int count, int id) {
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException("clusters is " + count + ", it must be 1 to " + MOST);
    }
    if (id < 0 || id >= count) {
      throw new IllegalArgumentException(
          "cluster id is %d, with %d clusters it must be 0 to %d".formatted(id, count, count - 1));
    }
  }

  /**
   * What {@code CLUSTERS_COUNT}, {@code CLUSTER_ID} and {@code MAXIMUM_DELAY} of the environment
   * say; a delay is a number of seconds, or as in {@code PT10M}. Without a count it is {@link
   * #ONE}.
   *
   * @throws IllegalArgumentException when one cannot be read or is out of range, or there is a
   *     count of several and no id
   */
  public static Clusters fromEnvironment() {
    return from(System.getenv());
  }

  /** As {@link #fromEnvironment}, of these variables. */
  public static Clusters from(Map<String, String> variables) {
    String count = variables.get("CLUSTERS_COUNT");
    String id = variables.get("CLUSTER_ID");
    String delay = variables.get("MAXIMUM_DELAY");
    int number = count == null ? 1 : number("CLUSTERS_COUNT", count);
    if (number > 1 && id == null) {
      throw new IllegalArgumentException(
          "CLUSTERS_COUNT is %d, but there is no CLUSTER_ID; set it to a number from 0 to %d"
              .formatted(number, number - 1));
    }
    return new Clusters(
        number,
        id == null ? 0 : number("CLUSTER_ID", id),
        delay == null ? ONE.maximumDelay() : delay(delay));
  }

  private static int number(String name, String text) {
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is '" + text + "', not a number", e);
    }
  }

  private static Duration delay(String text) {
    try {
      String bare = text.strip();
      return bare.matches("\\d{1,9}")
          ? Duration.ofSeconds(Long.parseLong(bare))
          : Duration.parse(bare);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "MAXIMUM_DELAY is '" + text + "', neither seconds nor a duration such as PT10M", e);
    }
  }
}
