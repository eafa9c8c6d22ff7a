package dev.outbox.internal.relay.topic;

import dev.outbox.message.MessageId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tells a message that ends each of its sends in an outage, as one that makes the broker close the
 * channel, from an outage of its topic.
 *
 * <p>Used under the lock of its gates.
 */
/*
 * An end speaks against a message when no other of its topic that was in flight beside it ended so too, and another
 * that was sent after it was delivered. In an outage nothing is delivered; and a message that was beside the culprit
 * ends with another. A message alone in flight, as a probe is, has none beside it: that is how a culprit shows that
 * takes all others with it.
 *
 *   UNKNOWN --ends so, alone--> WAITING --another sent since is delivered--> counted: at three it has lost the benefit of doubt
 *                                  ^------------- ends so, alone ---------------+
 *
 * Then each end counts as failed, if another was delivered since the one before. Its own delivery clears it.
 *
 * Time is counted in ends: what was sent when that many were over was in flight beside all later ones until it was
 * answered. In memory only: where a lane's next relay knows nothing, it counts from the beginning.
 */
final class OutageSuspects {
  static final int ENOUGH = 3;
  static final int MOST = 64;

  /** For how many probes in a row a message makes room, however few are suspects. */
  static final int FEWEST_PROBES = 8;

  /** Those met longest ago come first. */
  private final Map<MessageId, Suspect> suspects = new LinkedHashMap<>(MOST, 0.75f, true);

  private long lastEnd;
  private int waiting;

  private static final class Suspect {
    private int ends;

    /** The end that waits for a delivery, or 0. */
    private long waitsSince;

    /** How many other probes it has let go first since it was a probe itself. */
    private int madeRoom;

    /** The number of the last of those. */
    private long madeRoomFor;
  }

  /** A message was delivered that was sent when {@code sent} ends were over. */
  void delivered(MessageId id, long sent) {
    if (suspects.isEmpty()) {
      return;
    }
    Suspect cleared = suspects.remove(id);
    if (cleared != null && cleared.waitsSince > 0) {
      waiting--;
    }
    if (waiting > 0) {
      for (Suspect suspect : suspects.values()) {
        if (suspect.waitsSince > 0 && suspect.waitsSince <= sent) {
          suspect.ends++;
          suspect.waitsSince = 0;
          waiting--;
        }
      }
    }
  }

  /**
   * A message that was sent when {@code sent} ends were over is the next, number {@code end}.
   * Returns how many of its ends count, when this one counts as failed; else 0.
   */
  int ended(MessageId id, long sent, long end) {
    boolean alone = lastEnd <= sent;
    lastEnd = end;
    Suspect suspect = suspects.get(id);
    if (suspect != null && suspect.ends >= ENOUGH) {
      boolean counts = suspect.waitsSince == 0;
      waitFrom(suspect, end);
      return counts ? suspect.ends : 0;
    }
    if (alone) {
      waitFrom(suspects.computeIfAbsent(id, any -> new Suspect()), end);
      forgetOne();
    } else {
      clearThoseBeside(sent);
    }
    return 0;
  }

  private void waitFrom(Suspect suspect, long end) {
    suspect.madeRoom = 0;
    if (suspect.waitsSince == 0) {
      suspect.waitsSince = end;
      waiting++;
    }
  }

  /** It is not known which of those that were in flight together has ended the others. */
  private void clearThoseBeside(long sent) {
    suspects
        .values()
        .removeIf(
            each -> {
              boolean beside = each.waitsSince > sent && each.ends < ENOUGH;
              if (beside) {
                each.waitsSince = 0;
                waiting--;
              }
              return beside && each.ends == 0;
            });
  }

  private void forgetOne() {
    if (suspects.size() > MOST) {
      Map.Entry<MessageId, Suspect> eldest = suspects.entrySet().iterator().next();
      if (eldest.getValue().waitsSince > 0) {
        waiting--;
      }
      suspects.remove(eldest.getKey());
    }
  }

  /**
   * True when the message lets another be probe number {@code probe}, because its own last end
   * waits for the delivery of another. It does so once for each probe, since there may be no other
   * message. It does so for at most as many probes in a row as there are suspects, or {@value
   * #FEWEST_PROBES}, since all others may fail for ever.
   */
  boolean makesRoom(MessageId id, long probe) {
    Suspect suspect = waiting == 0 ? null : suspects.get(id);
    if (suspect == null || suspect.waitsSince == 0) {
      return false;
    }
    if (suspect.madeRoomFor == probe || suspect.madeRoom >= Math.max(FEWEST_PROBES, waiting)) {
      return false;
    }
    suspect.madeRoomFor = probe;
    suspect.madeRoom++;
    return true;
  }

  /** How many have an end that waits for the delivery of another. */
  int waiting() {
    return waiting;
  }

  /** True when the ends of some message count as failed. */
  boolean hasCulprits() {
    return suspects.values().stream().anyMatch(each -> each.ends >= ENOUGH);
  }
}
