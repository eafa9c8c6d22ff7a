package dev.outbox.internal.relay.lane;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Ordering;
import dev.outbox.store.Fate;
import dev.outbox.store.HeldKey;
import dev.outbox.store.HoldReason;
import dev.outbox.store.Stored;
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
  private final Rules rules;
  private final List<Stored> read;
  private final Held ofHeldTopics;
  private final long bytes;
  private final List<Fate> fates = new ArrayList<>();
  private final Map<HeldKey, SettleDecision.Later> broken = new HashMap<>();
  private final Set<HeldKey> stopped = new HashSet<>();
  private final Set<String> away = new HashSet<>();
  private List<Stored> waiting;

  public Batch(List<Stored> read, Held ofHeldTopics, Rules rules) {
    this(read, ofHeldTopics, Set.of(), rules);
  }

  /**
   * Of the topics {@code leftBehind}, earlier messages were passed over: none may overtake them.
   */
  Batch(List<Stored> read, Held ofHeldTopics, Set<String> leftBehind, Rules rules) {
    this.away.addAll(leftBehind);
    this.ofHeldTopics = ofHeldTopics;
    this.read = List.copyOf(read);
    this.waiting = this.read;
    this.bytes = bytes(read);
    this.rules = rules;
  }

  /** The payload bytes of these. */
  public static long bytes(List<Stored> messages) {
    return messages.stream().mapToLong(stored -> stored.envelope().payload().bytes().length).sum();
  }

  /** What a flight is taken by: the keys held in the lane, and how much may fly together. */
  public record Terms(
      Set<HeldKey> held, Ordering ordering, int most, Unfit unfit, Ticker.Moment now) {}

  /** What becomes of ready messages whose topic is held. */
  public enum Held {
    PARK,
    /** Those at their cap stay: they were claimed in a race, and another turn comes soon. */
    PARK_UNLESS_FULL,
    /** Everything is away and this is all that the lane has: moving it would help nobody. */
    LEAVE
  }

  /** Messages that must not be published at all. */
  public interface Unfit {
    @Nullable Fate fate(Stored stored);
  }

  /**
   * Takes the next messages that may be published together, in order; decides on the way those that
   * may not be published. Empty when nothing is left to publish.
   */
  public List<Stored> takeFlight(Terms terms) {
    List<Stored> aboard = new ArrayList<>();
    List<Stored> left = new ArrayList<>();
    Set<HeldKey> taken = new HashSet<>();
    for (Stored stored : waiting) {
      HeldKey key = stored.holdable();
      if (isDecided(stored, key, terms)) {
        continue;
      }
      if (aboard.size() == terms.most() || (key != null && taken.contains(key))) {
        left.add(stored);
        take(key, taken);
      } else if (rules.gates().admit(stored.envelope(), terms.now())) {
        aboard.add(stored);
        if (terms.ordering() == Ordering.ONE_PER_KEY) {
          take(key, taken);
        }
      } else {
        hold(stored, key, terms.now());
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

  private boolean isDecided(Stored stored, @Nullable HeldKey key, Terms terms) {
    if (key != null && broken.containsKey(key)) {
      endUnsent(stored, key);
      return true;
    }
    if (away.contains(stored.envelope().topic())) {
      return true;
    }
    if (key != null && !stored.isParked() && terms.held().contains(key)) {
      fates.add(
          rules.gates().isHeld(stored.envelope().topic(), terms.now())
              ? rules.decision().hold(stored)
              : rules.decision().follow(stored));
      return true;
    }
    Fate unfit = terms.unfit().fate(stored);
    if (unfit != null) {
      fates.add(unfit);
    }
    return unfit != null;
  }

  /** One of a held topic: a ready one is parked, a parked one stays where it is. */
  private void hold(Stored stored, @Nullable HeldKey key, Ticker.Moment now) {
    boolean parks = !stored.isParked() && isParking(stored.envelope().topic(), now);
    if (parks) {
      fates.add(rules.decision().hold(stored));
    }
    if (key != null) {
      broken.put(key, parks ? SettleDecision.Later.HOLD : SettleDecision.Later.LEAVE);
    }
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
    List<Ack> answers = new ArrayList<>(flight.aboard().size());
    for (int place = 0; place < flight.aboard().size(); place++) {
      Ack answer = rules.answer(flight, place);
      answers.add(answer);
      rules.gates().answered(flight.envelopes().get(place), answer, now);
    }
    for (int place = 0; place < answers.size(); place++) {
      Stored stored = flight.aboard().get(place);
      boolean probe = openBefore.contains(stored.envelope().topic());
      decide(stored, answers.get(place), probe, now);
    }
  }

  /** Decides the answered messages of a flight and leaves the others untouched. */
  public void landAnswered(OpenFlight flight, Ticker.Moment now) {
    for (int place = 0; place < flight.aboard().size(); place++) {
      Stored stored = flight.aboard().get(place);
      Ack answer = flight.answer(place);
      if (answer != null) {
        rules.gates().answered(stored.envelope(), answer, now);
        decide(stored, answer, false, now);
      } else {
        rules.gates().withdrawn(stored.envelope());
        leave(stored.holdable());
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

  private void decide(Stored stored, Ack answer, boolean probe, Ticker.Moment now) {
    HeldKey key = stored.holdable();
    if (key != null && stopped.contains(key) && !(answer instanceof Ack.Delivered)) {
      endUnsent(stored, key);
      return;
    }
    SettleDecision.Decision decided = decision(stored, answer, probe, now);
    if (decided.fate() != null) {
      fates.add(decided.fate());
    } else if (key != null && broken.containsKey(key)) {
      endUnsent(stored, key); // as the later one that did not fly with it
      stopped.add(key);
      return;
    }
    if (key != null && decided.later() != SettleDecision.Later.GO_ON) {
      stop(key, decided.later());
    }
  }

  /** While its broker is away, what a message answered is no fault of the message. */
  private SettleDecision.Decision decision(
      Stored stored, Ack answer, boolean probe, Ticker.Moment now) {
    String topic = stored.envelope().topic();
    if (answer instanceof Ack.Delivered
        || answer instanceof Ack.Rejected
        || !rules.gates().isOpen(topic)) {
      return rules.decision().decide(stored, answer, now);
    }
    away.add(topic);
    return probe && answer instanceof Ack.Failed failed
        ? rules.decision().probed(stored, failed, rules.gates().untilProbe(topic, now))
        : new SettleDecision.Decision(null, SettleDecision.Later.LEAVE);
  }

  /**
   * One behind a message of its key that did not leave: a ready one is parked behind it if that one
   * was, a parked one stays where it is.
   */
  private void endUnsent(Stored stored, HeldKey key) {
    SettleDecision.Later later = broken.get(key);
    if (later == SettleDecision.Later.FOLLOW && !stored.isParked()) {
      fates.add(rules.decision().follow(stored));
    } else if (later == SettleDecision.Later.HOLD && !stored.isParked()) {
      fates.add(rules.decision().hold(stored));
    }
  }

  /** Takes the messages of a flight that never took off back, in front of those that wait. */
  void takeBack(OpenFlight grounded) {
    grounded.envelopes().forEach(rules.gates()::withdrawn);
    List<Stored> whole = new ArrayList<>(grounded.aboard());
    whole.addAll(waiting);
    waiting = whole;
  }

  /** Forgets what is not in the air yet: it stays in its table, untouched. */
  void dropWaiting() {
    waiting = List.of();
  }

  /**
   * Forgets what is not in the air yet, and what was to move only because of others: it stays in
   * its table, to be read again.
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
    return left().map(Stored::id).findFirst().orElse(null);
  }

  /** The topics of those that were read and have no fate. */
  Set<String> topicsLeft() {
    return left().map(stored -> stored.envelope().topic()).collect(Collectors.toSet());
  }

  private Stream<Stored> left() {
    if (fates.size() == read.size()) {
      return Stream.empty();
    }
    Set<Long> decided = fates.stream().map(fate -> fate.stored().id()).collect(Collectors.toSet());
    return read.stream().filter(stored -> !decided.contains(stored.id()));
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
