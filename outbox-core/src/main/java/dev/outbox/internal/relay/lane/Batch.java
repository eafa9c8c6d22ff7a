package dev.outbox.internal.relay.lane;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.StoredEnvelope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one read of one lane, on their way to their fates: either all ready or all
 * parked.
 *
 * <p>Used by the loop thread only.
 */
public final class Batch {
  private final DeliveryRules deliveryRules;
  private final List<StoredEnvelope> read;
  private final Held ofHeldTopics;
  private final long bytes;
  private final List<Fate> fates = new ArrayList<>();
  private final Map<HeldKey, SettleDecision.Later> broken = new HashMap<>();
  private final Set<HeldKey> stopped = new HashSet<>();
  private final Set<String> down = new HashSet<>();
  private List<StoredEnvelope> waiting;

  public Batch(List<StoredEnvelope> read, Held ofHeldTopics, DeliveryRules deliveryRules) {
    this(read, ofHeldTopics, Set.of(), deliveryRules);
  }

  /**
   * Of the topics {@code leftBehind}, earlier messages were passed over: none may overtake them.
   */
  Batch(
      List<StoredEnvelope> read,
      Held ofHeldTopics,
      Set<String> leftBehind,
      DeliveryRules deliveryRules) {
    this.down.addAll(leftBehind);
    this.ofHeldTopics = ofHeldTopics;
    this.read = List.copyOf(read);
    this.waiting = this.read;
    this.bytes = bytes(read);
    this.deliveryRules = deliveryRules;
  }

  /** The payload bytes of these. */
  public static long bytes(List<StoredEnvelope> messages) {
    return messages.stream()
        .mapToLong(storedEnvelope -> storedEnvelope.envelope().payload().bytes().length)
        .sum();
  }

  /** What a flight is taken by: the keys held in the lane, and how much may fly together. */
  public record Terms(
      Set<HeldKey> held, Ordering ordering, int most, Unfit unfit, Ticker.Moment now) {}

  /** What becomes of ready messages whose topic is held. */
  public enum Held {
    PARK,
    /** Those at their cap stay: they were claimed in a race, and another turn comes soon. */
    PARK_UNLESS_FULL,
    /** Everything is down and this is all that the lane has: moving it would help nobody. */
    LEAVE
  }

  /** Messages that must not be published at all. */
  public interface Unfit {
    @Nullable Fate fate(StoredEnvelope storedEnvelope);
  }

  /**
   * Takes the next messages that may be published together, in order; decides on the way those that
   * may not be published. Empty when nothing is left to publish.
   */
  public List<StoredEnvelope> takeFlight(Terms terms) {
    List<StoredEnvelope> aboard = new ArrayList<>();
    List<StoredEnvelope> left = new ArrayList<>();
    Set<HeldKey> taken = new HashSet<>();
    for (StoredEnvelope storedEnvelope : waiting) {
      HeldKey key = storedEnvelope.holdable();
      if (isDecided(storedEnvelope, key, terms)) {
        continue;
      }
      if (aboard.size() == terms.most() || (key != null && taken.contains(key))) {
        left.add(storedEnvelope);
        take(key, taken);
      } else if (deliveryRules.gates().admit(storedEnvelope.envelope(), terms.now())) {
        aboard.add(storedEnvelope);
        if (terms.ordering() == Ordering.ONE_PER_KEY) {
          take(key, taken);
        }
      } else {
        hold(storedEnvelope, key, terms.now());
      }
    }
    waiting = left;
    return aboard;
  }

  private static void take(@Nullable HeldKey key, Set<HeldKey> taken) {
    if (key != null) {
      taken.add(key);
    }
  }

  private boolean isDecided(StoredEnvelope storedEnvelope, @Nullable HeldKey key, Terms terms) {
    if (key != null && broken.containsKey(key)) {
      endUnsent(storedEnvelope, key);
      return true;
    }
    if (down.contains(storedEnvelope.envelope().topic())) {
      return true;
    }
    if (key != null && !storedEnvelope.isParked() && terms.held().contains(key)) {
      fates.add(
          deliveryRules.gates().isHeld(storedEnvelope.envelope().topic(), terms.now())
              ? deliveryRules.decision().hold(storedEnvelope)
              : deliveryRules.decision().follow(storedEnvelope));
      return true;
    }
    Fate unfit = terms.unfit().fate(storedEnvelope);
    if (unfit != null) {
      fates.add(unfit);
    }
    return unfit != null;
  }

  /** One of a held topic: a ready one is parked, a parked one stays where it is. */
  private void hold(StoredEnvelope storedEnvelope, @Nullable HeldKey key, Ticker.Moment now) {
    boolean parks = !storedEnvelope.isParked() && isParking(storedEnvelope.envelope().topic(), now);
    if (parks) {
      fates.add(deliveryRules.decision().hold(storedEnvelope));
    }
    if (key != null) {
      broken.put(key, parks ? SettleDecision.Later.HOLD : SettleDecision.Later.LEAVE);
    }
  }

  private boolean isParking(String topic, Ticker.Moment now) {
    return switch (ofHeldTopics) {
      case PARK -> true;
      case PARK_UNLESS_FULL -> deliveryRules.gates().isHeldForLong(topic, now);
      case LEAVE -> false;
    };
  }

  /** Decides all messages of a flight, in its order. */
  public void land(OpenFlight flight, Ticker.Moment now) {
    Set<String> openBefore = deliveryRules.gates().open(now).keySet();
    List<Ack> answers = new ArrayList<>(flight.aboard().size());
    for (int place = 0; place < flight.aboard().size(); place++) {
      Ack answer = deliveryRules.answer(flight, place);
      answers.add(answer);
      deliveryRules.gates().answered(flight.envelopes().get(place), answer, now);
    }
    for (int place = 0; place < answers.size(); place++) {
      StoredEnvelope storedEnvelope = flight.aboard().get(place);
      boolean probe = openBefore.contains(storedEnvelope.envelope().topic());
      decide(storedEnvelope, answers.get(place), probe, now);
    }
  }

  /** Decides the answered messages of a flight and leaves the others untouched. */
  public void landAnswered(OpenFlight flight, Ticker.Moment now) {
    for (int place = 0; place < flight.aboard().size(); place++) {
      StoredEnvelope storedEnvelope = flight.aboard().get(place);
      Ack answer = flight.answer(place);
      if (answer != null) {
        deliveryRules.gates().answered(storedEnvelope.envelope(), answer, now);
        decide(storedEnvelope, answer, false, now);
      } else {
        deliveryRules.gates().withdrawn(storedEnvelope.envelope());
        leave(storedEnvelope.holdable());
      }
    }
  }

  private void leave(@Nullable HeldKey key) {
    if (key != null) {
      stop(key, broken.getOrDefault(key, SettleDecision.Later.LEAVE));
    }
  }

  /** One of the key flew and did not leave. */
  private void stop(HeldKey key, SettleDecision.Later later) {
    broken.put(key, later);
    stopped.add(key);
  }

  private void decide(StoredEnvelope storedEnvelope, Ack answer, boolean probe, Ticker.Moment now) {
    HeldKey key = storedEnvelope.holdable();
    if (key != null && stopped.contains(key) && !(answer instanceof Ack.Delivered)) {
      endUnsent(storedEnvelope, key);
      return;
    }
    SettleDecision.Decision decided = decision(storedEnvelope, answer, probe, now);
    if (decided.fate() != null) {
      fates.add(decided.fate());
    } else if (key != null && broken.containsKey(key)) {
      endUnsent(storedEnvelope, key); // as the later one that did not fly with it
      stopped.add(key);
      return;
    }
    if (key != null && decided.later() != SettleDecision.Later.GO_ON) {
      stop(key, decided.later());
    }
  }

  /** While its broker is down, what a message answered is no fault of the message. */
  private SettleDecision.Decision decision(
      StoredEnvelope storedEnvelope, Ack answer, boolean probe, Ticker.Moment now) {
    String topic = storedEnvelope.envelope().topic();
    if (answer instanceof Ack.Delivered
        || answer instanceof Ack.Rejected
        || !deliveryRules.gates().isOpen(topic)) {
      return deliveryRules.decision().decide(storedEnvelope, answer, now);
    }
    down.add(topic);
    return probe && answer instanceof Ack.Failed failed
        ? deliveryRules
            .decision()
            .probed(storedEnvelope, failed, deliveryRules.gates().untilProbe(topic, now))
        : new SettleDecision.Decision(null, SettleDecision.Later.LEAVE);
  }

  /**
   * One behind a message of its key that did not leave: a ready one is parked behind it if that one
   * was, a parked one stays where it is.
   */
  private void endUnsent(StoredEnvelope storedEnvelope, HeldKey key) {
    SettleDecision.Later later = broken.get(key);
    if (later == SettleDecision.Later.FOLLOW && !storedEnvelope.isParked()) {
      fates.add(deliveryRules.decision().follow(storedEnvelope));
    } else if (later == SettleDecision.Later.HOLD && !storedEnvelope.isParked()) {
      fates.add(deliveryRules.decision().hold(storedEnvelope));
    }
  }

  /** Takes the messages of a flight that never took off back, in front of those that wait. */
  void takeBack(OpenFlight grounded) {
    grounded.envelopes().forEach(deliveryRules.gates()::withdrawn);
    List<StoredEnvelope> whole = new ArrayList<>(grounded.aboard());
    whole.addAll(waiting);
    waiting = whole;
  }

  /** Forgets what is not in flight yet: it stays in its table, untouched. */
  void dropWaiting() {
    waiting = List.of();
  }

  /**
   * Forgets what is not in flight yet, and what was to move only because of others: it stays in its
   * table, to be read again.
   */
  void dropUntried() {
    dropWaiting();
    fates.removeIf(fate -> fate instanceof Fate.Park park && park.reason() != HoldReason.FAILED);
  }

  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** The id of the first message that was read and has no fate, or null when all have one. */
  @Nullable Long firstLeft() {
    return left().map(StoredEnvelope::id).findFirst().orElse(null);
  }

  /** The topics of those that were read and have no fate. */
  Set<String> topicsLeft() {
    return left()
        .map(storedEnvelope -> storedEnvelope.envelope().topic())
        .collect(Collectors.toSet());
  }

  private Stream<StoredEnvelope> left() {
    if (fates.size() == read.size()) {
      return Stream.empty();
    }
    Set<Long> decided =
        fates.stream().map(fate -> fate.storedEnvelope().id()).collect(Collectors.toSet());
    return read.stream().filter(storedEnvelope -> !decided.contains(storedEnvelope.id()));
  }

  /** True when most of it was parked with its topic. */
  boolean isMostlyHeld() {
    long held =
        fates.stream()
            .filter(fate -> fate instanceof Fate.Park park && park.reason() == HoldReason.TOPIC)
            .count();
    return 2 * held > read.size();
  }

  boolean leavesHeldTopics() {
    return ofHeldTopics == Held.LEAVE;
  }

  /** The highest id that was read. */
  long lastId() {
    return read.get(read.size() - 1).id();
  }

  int size() {
    return waiting.size() + fates.size();
  }

  /** The payload bytes of all that was read. */
  long bytes() {
    return bytes;
  }

  boolean isParked() {
    return read.get(0).isParked();
  }

  public List<Fate> fates() {
    return fates;
  }
}
