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
    Tenure tenure = claim.tenure();
    if (tenure == null) {
      return Optional.empty();
    }
    Optional<String> wrong =
        knownBefore(tenure, tenure.epoch() - 1)
            .or(() -> withEpoch(tenure))
            .map(other -> claim + ", but " + other);
    claims.computeIfAbsent(tenure.lane(), lane -> new ArrayList<>()).add(claim);
    return wrong;
  }

  /** A claim of the lane with this very epoch, which is wrong in whatever order they were. */
  private Optional<Note> withEpoch(Tenure tenure) {
    return claims.getOrDefault(tenure.lane(), List.of()).stream()
        .filter(claim -> claim.tenure() != null && claim.tenure().epoch() == tenure.epoch())
        .findFirst();
  }

  /** The store went back to before this claim. */
  void forget(Note claim) {
    Tenure tenure = claim.tenure();
    if (tenure != null) {
      claims.getOrDefault(tenure.lane(), new ArrayList<>()).remove(claim);
    }
  }

  /** A fate was written. Returns what is wrong with it. */
  Optional<String> settled(Note settle) {
    Tenure tenure = settle.tenure();
    return tenure == null
        ? Optional.empty()
        : knownBefore(tenure, tenure.epoch())
            .or(() -> withEpoch(tenure).filter(claim -> isOfAnother(claim, settle)))
            .map(newer -> "was settled under epoch %d, but %s".formatted(tenure.epoch(), newer));
  }

  /** True when it was known when the settle was sent that the lane is another's. */
  private static boolean isOfAnother(Note claim, Note settle) {
    Tenure tenure = settle.tenure();
    return tenure != null && claim.at() < tenure.asked() && !claim.who().equals(settle.who());
  }

  /** A claim of the lane with a higher epoch, known when the call was sent. */
  private Optional<Note> knownBefore(Tenure tenure, long epoch) {
    return claims.getOrDefault(tenure.lane(), List.of()).stream()
        .filter(claim -> claim.at() < tenure.asked())
        .filter(claim -> claim.tenure() != null && claim.tenure().epoch() > epoch)
        .findFirst();
  }
}
