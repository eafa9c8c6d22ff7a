package dev.outbox.internal.relay.batch;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.batch.SettleDecision.Later;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.StoredEnvelope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
  private final DeliveryRules rules;
  private final List<StoredEnvelope> read;
  private final Held ofHeldTopics;
  private final long bytes;
  private final List<Fate> fates = new ArrayList<>();
  private final BrokenOrder broken;
  private final Set<String> down = new HashSet<>();
  private List<StoredEnvelope> waiting;
  private long outages;
  private final List<StoredEnvelope> passedOver = new ArrayList<>();

  /** Of the topics {@code leftBehind}, earlier ones were passed over: none may overtake them. */
  public Batch(
      List<StoredEnvelope> read, Held ofHeldTopics, Set<String> leftBehind, DeliveryRules rules) {
    this.down.addAll(leftBehind);
    this.ofHeldTopics = ofHeldTopics;
    this.read = List.copyOf(read);
    this.waiting = this.read;
    this.bytes = bytes(read);
    this.rules = rules;
    this.broken = new BrokenOrder(rules.decision());
  }

  /** The payload bytes of these. */
  public static long bytes(List<StoredEnvelope> messages) {
    long bytes = 0;
    for (StoredEnvelope message : messages) {
      bytes += message.envelope().payload().bytes().length;
    }
    return bytes;
  }

  /** What becomes of ready messages whose topic is held. */
  public enum Held {
    PARK,
    /** Those at their cap stay: they were claimed in a race, and another turn comes soon. */
    PARK_UNLESS_FULL,
    /** Everything is down and this is all that the lane has: moving it would help no message. */
    LEAVE
  }

  /**
   * Takes the next messages that may be published together, in order; decides on the way those that
   * may not be published. Empty when nothing is left to publish.
   */
  public List<StoredEnvelope> takeFlight(FlightTerms terms) {
    List<StoredEnvelope> aboard = new ArrayList<>();
    List<StoredEnvelope> left = new ArrayList<>();
    Set<HeldKey> taken = new HashSet<>();
    outages = rules.gates().outages();
    for (StoredEnvelope message : waiting) {
      HeldKey key = rules.ordered(message);
      if (isDecided(message, key, terms)) {
        continue;
      }
      if (aboard.size() == terms.most() || (key != null && taken.contains(key))) {
        left.add(message); // so do all behind it when the flight is full
      } else if (rules.gates().admit(message.envelope(), terms.now())) {
        aboard.add(message);
        if (key != null && terms.ordering() == Ordering.ONE_PER_KEY) {
          taken.add(key);
        }
      } else {
        hold(message, key, terms.now());
      }
    }
    waiting = left;
    if (ofHeldTopics == Held.LEAVE) { // the next read may be long in coming
      passedOver.stream()
          .filter(message -> rules.gates().admit(message.envelope(), terms.now()))
          .limit(terms.most() - aboard.size())
          .forEach(aboard::add);
      passedOver.clear();
    }
    return aboard;
  }

  private boolean isDecided(StoredEnvelope message, @Nullable HeldKey key, FlightTerms terms) {
    if (key != null && broken.has(key)) {
      endUnsent(message, key);
      return true;
    }
    if (down.contains(message.envelope().topic())) {
      return true;
    }
    if (key != null && !message.isParked() && terms.held().contains(key)) {
      fates.add(
          rules.gates().isHeld(message.envelope().topic(), terms.now())
              ? rules.decision().hold(message)
              : rules.decision().follow(message));
      return true;
    }
    Fate unfit = rules.unfit(message, terms);
    if (unfit != null) {
      fates.add(unfit);
    }
    return unfit != null;
  }

  /** One of a held topic: a ready one is parked; a parked one stays, or one that makes room. */
  private void hold(StoredEnvelope message, @Nullable HeldKey key, Ticker.Moment now) {
    boolean held = rules.gates().isHeld(message.envelope().topic(), now);
    if (!held) {
      passedOver.add(message);
    }
    boolean parks = held && !message.isParked() && isParking(message.envelope().topic(), now);
    if (parks) {
      fates.add(rules.decision().hold(message));
    }
    broken.grounded(key, parks ? Later.HOLD : Later.LEAVE);
  }

  private boolean isParking(String topic, Ticker.Moment now) {
    return switch (ofHeldTopics) {
      case PARK -> true;
      case PARK_UNLESS_FULL -> rules.gates().isHeldForLong(topic, now);
      case LEAVE -> false;
    };
  }

  /** Decides all messages of a flight, in its order. */
  public void land(OpenFlight flight, Ticker.Moment now) {
    Set<String> openBefore = rules.gates().open(now).keySet();
    List<Ack> answers = rules.answers(flight, outages, now);
    for (int place = 0; place < answers.size(); place++) {
      StoredEnvelope message = flight.aboard().get(place);
      boolean probe = openBefore.contains(message.envelope().topic());
      decide(message, answers.get(place), probe, now);
    }
  }

  /** Decides the answered messages of a flight and leaves the others untouched. */
  public void landAnswered(OpenFlight flight, Ticker.Moment now) {
    for (int place = 0; place < flight.aboard().size(); place++) {
      StoredEnvelope message = flight.aboard().get(place);
      Ack answer = flight.answer(place);
      if (answer != null) {
        decide(message, rules.counted(answer, flight, place, outages, now), false, now);
      } else {
        rules.gates().withdrawn(message.envelope());
        broken.stop(rules.ordered(message));
      }
    }
  }

  private void decide(StoredEnvelope message, Ack answer, boolean probe, Ticker.Moment now) {
    HeldKey key = rules.ordered(message);
    if (key != null && broken.isStopped(key) && !(answer instanceof Ack.Delivered)) {
      endUnsent(message, key);
      return;
    }
    SettleDecision.Decision decided = decision(message, answer, probe, now);
    if (decided.fate() != null) {
      fates.add(decided.fate());
    } else if (key != null && broken.has(key)) {
      endUnsent(message, key); // as the later one that did not fly with it
      broken.stop(key);
      return;
    }
    if (decided.later() != Later.GO_ON) {
      broken.stop(key, decided.later());
    }
  }

  /** While its broker is down, what a message answered is no fault of it, but for a lone outage. */
  private SettleDecision.Decision decision(
      StoredEnvelope message, Ack answer, boolean probe, Ticker.Moment now) {
    String topic = message.envelope().topic();
    if (!rules.gates().isOpen(topic) || DeliveryRules.isOfTheMessage(answer)) {
      return rules.decision().decide(message, answer, now);
    }
    down.add(topic);
    return probe && answer instanceof Ack.Failed failed
        ? rules.decision().probed(message, failed, rules.gates().untilProbe(topic, now))
        : new SettleDecision.Decision(null, Later.LEAVE);
  }

  private void endUnsent(StoredEnvelope message, HeldKey key) {
    Fate fate = broken.behind(message, key);
    if (fate != null) {
      fates.add(fate);
    }
  }

  /** Takes the messages of a flight that never took off back, in front of those that wait. */
  public void takeBack(OpenFlight grounded) {
    rules.withdraw(grounded.envelopes());
    List<StoredEnvelope> whole = new ArrayList<>(grounded.aboard());
    whole.addAll(waiting);
    waiting = whole;
  }

  /** Forgets what is not in flight yet: it stays in its table, untouched. */
  public void dropWaiting() {
    waiting = List.of();
  }

  /** As {@link #dropWaiting}, and what was to move only because of others: it is read again. */
  public void dropUntried() {
    dropWaiting();
    fates.removeIf(fate -> fate instanceof Fate.Park park && park.reason() != HoldReason.FAILED);
  }

  public boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** The id of the first message that was read and has no fate, or null when all have one. */
  public @Nullable Long firstLeft() {
    return left().map(StoredEnvelope::id).findFirst().orElse(null);
  }

  /** The topics of those that were read and have no fate. */
  public Set<String> topicsLeft() {
    return left().map(message -> message.envelope().topic()).collect(Collectors.toSet());
  }

  private Stream<StoredEnvelope> left() {
    if (fates.size() == read.size()) {
      return Stream.empty();
    }
    Set<Long> decided =
        fates.stream().map(fate -> fate.storedEnvelope().id()).collect(Collectors.toSet());
    return read.stream().filter(message -> !decided.contains(message.id()));
  }

  /** True when most of it was parked with its topic. */
  public boolean isMostlyHeld() {
    long held =
        fates.stream()
            .filter(fate -> fate instanceof Fate.Park park && park.reason() == HoldReason.TOPIC)
            .count();
    return 2 * held > read.size();
  }

  public boolean leavesHeldTopics() {
    return ofHeldTopics == Held.LEAVE;
  }

  /** True when a message made room for another probe: it is to be read again at once. */
  public boolean hasPassedOver() {
    return !passedOver.isEmpty();
  }

  /** The highest id that was read. */
  public long lastId() {
    return read.get(read.size() - 1).id();
  }

  public int size() {
    return waiting.size() + fates.size();
  }

  /** The payload bytes of all that was read. */
  public long bytes() {
    return bytes;
  }

  public boolean isParked() {
    return read.get(0).isParked();
  }

  public List<Fate> fates() {
    return fates;
  }
}
