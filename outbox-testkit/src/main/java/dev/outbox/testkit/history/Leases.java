package dev.outbox.testkit.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who took which lane when: epochs rise, and what an old one wrote after a newer one is stale.
 *
 * <p>Used by one thread. What two processes note at about the same time may be noted in either
 * order, so a claim counts as earlier than a call only when it was known before that call was sent.
 */
final class Leases {
  private final Map<Integer, List<Note>> claims = new HashMap<>();

  /** A lane was taken. Returns what is wrong with it. */
  Optional<String> leased(Note claim) {
    LeaseRight leaseRight = claim.leaseRight();
    if (leaseRight == null) {
      return Optional.empty();
    }
    Optional<String> wrong =
        knownBefore(leaseRight, leaseRight.epoch() - 1)
            .or(() -> withEpoch(leaseRight))
            .map(other -> claim + ", but " + other);
    claims.computeIfAbsent(leaseRight.lane(), lane -> new ArrayList<>()).add(claim);
    return wrong;
  }

  /** A claim of the lane with this very epoch, which is wrong in whatever order they were. */
  private Optional<Note> withEpoch(LeaseRight leaseRight) {
    return claims.getOrDefault(leaseRight.lane(), List.of()).stream()
        .filter(
            claim -> claim.leaseRight() != null && claim.leaseRight().epoch() == leaseRight.epoch())
        .findFirst();
  }

  /** The store went back to before this claim. */
  void forget(Note claim) {
    LeaseRight leaseRight = claim.leaseRight();
    if (leaseRight != null) {
      claims.getOrDefault(leaseRight.lane(), new ArrayList<>()).remove(claim);
    }
  }

  /** A fate was written. Returns what is wrong with it. */
  Optional<String> settled(Note settle) {
    LeaseRight leaseRight = settle.leaseRight();
    return leaseRight == null
        ? Optional.empty()
        : knownBefore(leaseRight, leaseRight.epoch())
            .or(() -> withEpoch(leaseRight).filter(claim -> isOfAnother(claim, settle)))
            .map(
                newer -> "was settled under epoch %d, but %s".formatted(leaseRight.epoch(), newer));
  }

  /** True when it was known when the settle was sent that the lane is another's. */
  private static boolean isOfAnother(Note claim, Note settle) {
    LeaseRight leaseRight = settle.leaseRight();
    return leaseRight != null
        && claim.at() < leaseRight.asked()
        && !claim.who().equals(settle.who());
  }

  /** A claim of the lane with a higher epoch, known when the call was sent. */
  private Optional<Note> knownBefore(LeaseRight leaseRight, long epoch) {
    return claims.getOrDefault(leaseRight.lane(), List.of()).stream()
        .filter(claim -> claim.at() < leaseRight.asked())
        .filter(claim -> claim.leaseRight() != null && claim.leaseRight().epoch() > epoch)
        .findFirst();
  }
}
