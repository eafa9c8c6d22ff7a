package dev.outbox.testkit.assertj;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.message.Key;
import java.util.List;
import java.util.function.Predicate;
import org.assertj.core.api.AbstractAssert;

/**
 * Some dead letters, of which each call keeps those that fit, and fails when none does.
 *
 * <pre>{@code
 * assertThat(kit)
 *     .hasDeadLetter("orders.placed")
 *     .withKey("42")
 *     .withReason(DeadLetter.Reason.REJECTED)
 *     .withError("no such account")
 *     .withAttempts(1);
 * }</pre>
 */
public final class DeadLettersAssert extends AbstractAssert<DeadLettersAssert, List<DeadLetter>> {
  private final String wanted;

  DeadLettersAssert(List<DeadLetter> letters, String wanted) {
    super(letters, DeadLettersAssert.class);
    this.wanted = wanted;
  }

  /** With this key. */
  public DeadLettersAssert withKey(String key) {
    return with("key " + key, letter -> new Key(key).equals(letter.envelope().key()));
  }

  /** That died of this. */
  public DeadLettersAssert withReason(Reason reason) {
    return with("reason " + reason, letter -> letter.reason() == reason);
  }

  /** Whose error contains {@code part}. */
  public DeadLettersAssert withError(String part) {
    return with("error '" + part + "'", letter -> letter.error().contains(part));
  }

  /** That has failed so often. */
  public DeadLettersAssert withAttempts(int attempts) {
    return with(attempts + " attempts", letter -> letter.attempts() == attempts);
  }

  DeadLettersAssert with(String criterion, Predicate<DeadLetter> fits) {
    List<DeadLetter> left = actual.stream().filter(fits).toList();
    if (left.isEmpty()) {
      failWithMessage(
          "expected: %s with %s\nbut of \"%s\" there are%s",
          wanted, criterion, wanted, Listing.of(actual, Row::of));
    }
    return new DeadLettersAssert(left, wanted + " with " + criterion).as(descriptionText());
  }
}
