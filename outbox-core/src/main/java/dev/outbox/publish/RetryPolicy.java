package dev.outbox.publish;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Says how long a failed message waits before its next attempt, and when to give up.
 *
 * <p>Implementations must be safe for use by many threads.
 *
 * <pre>{@code
 * RetryPolicy twoDays =
 *     RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(10), Duration.ofDays(2));
 * RetryPolicy fewer = RetryPolicy.standard().atMost(20);
 * RetryPolicy everyMinute = (attempts, failing) -> Optional.of(Duration.ofMinutes(1));
 * Relay relay = Relay.builder(store, publisher).retry(twoDays).retry("mails", fewer).start();
 * }</pre>
 */
@FunctionalInterface
public interface RetryPolicy {
  /**
   * The delay before the next attempt, or empty to give up, which makes the message a dead letter.
   *
   * @param attempts how often it has failed, at least 1
   * @param failing the time since its first failure, by the database's clock
   */
  Optional<Duration> delay(int attempts, Duration failing);

  /**
   * Doubling delays with full jitter: a random part of {@code first}, then of twice that, up to
   * {@code longest}; gives up once a message has been failing for {@code giveUpAfter}.
   *
   * @throws IllegalArgumentException when {@code first} is not positive, {@code longest} is below
   *     {@code first}, or {@code giveUpAfter} is negative
   */
  static RetryPolicy exponential(Duration first, Duration longest, Duration giveUpAfter) {
    if (first.isNegative() || first.isZero()) {
      throw new IllegalArgumentException("first delay is " + first + ", it must be positive");
    }
    if (longest.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "longest delay " + longest + " is below the first delay " + first);
    }
    if (giveUpAfter.isNegative()) {
      throw new IllegalArgumentException("giveUpAfter is " + giveUpAfter + ", the minimum is zero");
    }
    return (attempts, failing) ->
        failing.compareTo(giveUpAfter) >= 0
            ? Optional.empty()
            : Optional.of(jittered(first, longest, attempts));
  }

  /**
   * The policy of a relay that is given none: 0.5 s doubling to 5 min with full jitter, for 24 h.
   */
  static RetryPolicy standard() {
    return exponential(Duration.ofMillis(500), Duration.ofMinutes(5), Duration.ofHours(24));
  }

  /** This policy, giving up after {@code most} attempts at the latest. */
  default RetryPolicy atMost(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("atMost is " + most + ", the minimum is 1 attempt");
    }
    return (attempts, failing) -> attempts >= most ? Optional.empty() : delay(attempts, failing);
  }

  private static Duration jittered(Duration first, Duration longest, int attempts) {
    int doublings = Math.min(attempts - 1, 30);
    long shortest = millis(first);
    long most = millis(longest);
    long ceiling = shortest > most >> doublings ? most : shortest << doublings;
    return Duration.ofMillis(ThreadLocalRandom.current().nextLong(ceiling + 1));
  }

  /** At least 1, or it would never double; at most what can be counted. */
  private static long millis(Duration rest) {
    Duration countable = Duration.ofDays(36_500);
    return Math.max(1, (rest.compareTo(countable) < 0 ? rest : countable).toMillis());
  }
}
