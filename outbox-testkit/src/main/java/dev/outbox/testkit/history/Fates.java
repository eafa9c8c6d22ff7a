package dev.outbox.testkit.history;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.spi.settle.Fate;

/** How the text of {@link NoteKind#SETTLED} calls the fates of messages. */
public final class Fates {
  /** The broker has it. */
  public static final String DELIVERED = "delivered";

  private static final String DEAD = "dead ";

  private Fates() {}

  static boolean isDead(String words) {
    return words.startsWith(DEAD);
  }

  static boolean isExpired(String words) {
    return words.equals(DEAD + Reason.EXPIRED);
  }

  /** The fate in a few words. */
  public static String words(Fate fate) {
    if (fate instanceof Fate.Park park) {
      return "parked " + park.reason() + " after attempt " + park.attempts();
    }
    return fate instanceof Fate.Bury bury ? DEAD + bury.reason() : DELIVERED;
  }
}
