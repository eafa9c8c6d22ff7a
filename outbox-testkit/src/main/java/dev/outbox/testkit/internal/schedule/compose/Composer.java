package dev.outbox.testkit.internal.schedule.compose;

import dev.outbox.Claiming;
import dev.outbox.Topics.Setting;
import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.Step;
import dev.outbox.testkit.internal.schedule.BrokerDecision;
import dev.outbox.testkit.internal.schedule.BrokerReaction;
import dev.outbox.testkit.internal.schedule.Decision;
import dev.outbox.testkit.internal.schedule.MessageTrait;
import dev.outbox.testkit.internal.schedule.Plan;
import dev.outbox.testkit.internal.schedule.RelayDecision;
import dev.outbox.testkit.schedule.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Composes a schedule: one seed, one list of decisions. Each seed allows another half of the
 * faults, so that some schedules are full of one kind and free of the others.
 *
 * <p>Used by one thread.
 */
public final class Composer {
  private static final int WRITERS = 3;
  private static final List<MessageTrait> NATURES = List.of(MessageTrait.values());
  private static final List<String> KEYS = List.of("a", "b", "c", "d");
  private static final List<String> TOPICS = List.of("orders", "bills");
  private static final List<CrashPoint> LANE_POINTS =
      List.of(
          CrashPoint.CLAIM,
          CrashPoint.LOOK,
          CrashPoint.READ,
          CrashPoint.PROMOTE,
          CrashPoint.RELEASE,
          CrashPoint.SUSPECT,
          CrashPoint.RENEW,
          CrashPoint.SETTLE,
          CrashPoint.SETTLE,
          CrashPoint.MOVE,
          CrashPoint.BEAT,
          CrashPoint.PUBLISH,
          CrashPoint.PUBLISH,
          CrashPoint.ANSWER,
          CrashPoint.ANSWER);
  private static final List<CrashPoint> ROW_POINTS =
      List.of(
          CrashPoint.CLAIM,
          CrashPoint.PROMOTE,
          CrashPoint.RELEASE,
          CrashPoint.BEAT,
          CrashPoint.PUBLISH,
          CrashPoint.ANSWER,
          CrashPoint.END_CLAIM,
          CrashPoint.END_CLAIM);

  private final long seed;
  private final SplittableRandom random;
  private final Settings settings;
  private final List<Supplier<@Nullable Decision>> urn = new ArrayList<>();
  private final List<Decision> decisions = new ArrayList<>();
  private final List<Due> dues = new ArrayList<>();
  private final int keys;
  private final int topics;
  private final double oddity;
  private int messages;

  /** What is to follow at a place in the list. */
  private record Due(int place, Decision decision) {}

  public Composer(long seed, Settings settings) {
    this.random = new SplittableRandom(seed);
    this.seed = seed;
    this.settings = settings;
    this.keys = random.nextInt(1, KEYS.size() + 1);
    this.topics = random.nextInt(1, TOPICS.size() + 1);
    this.oddity = random.nextInt(3) == 0 ? 0 : random.nextDouble(0.3);
    fillUrn();
  }

  /** The whole of it. */
  public Plan plan() {
    boolean lanes = settings.claiming() == Claiming.LANES;
    return new Plan(
        lanes ? 1 << random.nextInt(5) : 1,
        List.of(1, 3, 500).get(random.nextInt(3)),
        settings.later() ? random.nextInt(1 << settings.relays()) : 0,
        compose());
  }

  private List<Decision> compose() {
    while (decisions.size() < settings.decisions()) {
      dues.stream().filter(due -> due.place <= decisions.size()).findFirst().ifPresent(this::take);
      Decision next = urn.get(random.nextInt(urn.size())).get();
      if (next != null) {
        decisions.add(next);
      }
    }
    return settings.goesBack() ? new Setbacks(seed, settings).among(decisions) : decisions;
  }

  private void take(Due due) {
    dues.remove(due);
    decisions.add(due.decision);
  }

  private void later(int atLeast, int below, Decision decision) {
    dues.add(new Due(decisions.size() + random.nextInt(atLeast, below), decision));
  }

  private void fillUrn() {
    put(14, this::write);
    put(4, () -> new Decision.Commit(writer()));
    put(1, () -> new Decision.RollBack(writer()));
    put(26, () -> new RelayDecision.Turn(relay()));
    put(12, () -> new RelayDecision.Drain(relay()));
    put(8, this::pass);
    put(12, () -> new BrokerDecision.Answer(random.nextInt(8)));
    put(3, () -> new RelayDecision.Join(relay()));
    maybe(6, () -> ambush(RelayDecision.Ambush.Deed.DROP));
    maybe(6, () -> ambush(RelayDecision.Ambush.Deed.FAIL));
    maybe(3, () -> ambush(RelayDecision.Ambush.Deed.CONTEND));
    maybe(7, this::pause);
    maybe(2, () -> new RelayDecision.Kill(relay()));
    maybe(3, () -> new RelayDecision.Close(relay(), random.nextInt(3) > 0));
    maybe(2, () -> new BrokerDecision.Silence(random.nextInt(8), random.nextBoolean()));
    for (BrokerReaction brokerReaction : BrokerReaction.values()) {
      maybe(3, () -> new BrokerDecision.Caprice(brokerReaction));
    }
    maybe(2, this::down);
    maybe(2, () -> new Decision.StoreClock(Duration.ofSeconds(random.nextBoolean() ? 1 : -3)));
    maybe(2, () -> new Decision.WallClock(relay(), step()));
    maybe(3, this::topic);
    maybe(2, Decision.Replay::new);
  }

  private void put(int times, Supplier<@Nullable Decision> ball) {
    for (int time = 0; time < times; time++) {
      urn.add(ball);
    }
  }

  private void maybe(int times, Supplier<@Nullable Decision> ball) {
    if (random.nextBoolean()) {
      put(times, ball);
    }
  }

  private int writer() {
    return random.nextInt(WRITERS) + 1;
  }

  private int relay() {
    return random.nextInt(settings.relays());
  }

  private Decision write() {
    boolean keyed = settings.claiming() == Claiming.LANES && random.nextInt(5) > 0;
    String key = keyed ? KEYS.get(random.nextInt(keys)) : null;
    MessageTrait messageTrait =
        random.nextDouble() < oddity
            ? NATURES.get(random.nextInt(NATURES.size()))
            : MessageTrait.PLAIN;
    if (messageTrait == MessageTrait.DEADLY && (!settings.deadly() || random.nextInt(4) > 0)) {
      messageTrait = MessageTrait.PLAIN;
    }
    int writer = writer();
    later(1, 20, new Decision.Commit(writer));
    return new Decision.Write(
        writer, ++messages, TOPICS.get(random.nextInt(topics)), key, messageTrait);
  }

  private Decision pass() {
    int seconds = List.of(1, 1, 2, 2, 4, 4, 8, 16, 30).get(random.nextInt(9));
    return new Decision.Pass(Duration.ofSeconds(seconds));
  }

  private Duration step() {
    return Duration.ofSeconds(List.of(-3600, -5, -1, 1, 20, 3600).get(random.nextInt(6)));
  }

  /** Where relays of this claiming can be met. */
  static List<CrashPoint> points(Settings settings) {
    return settings.claiming() == Claiming.LANES ? LANE_POINTS : ROW_POINTS;
  }

  private Decision ambush(RelayDecision.Ambush.Deed deed) {
    List<CrashPoint> points = points(settings);
    CrashPoint point = points.get(random.nextInt(points.size()));
    Step.Side side = random.nextBoolean() ? Step.Side.BEFORE : Step.Side.AFTER;
    return new RelayDecision.Ambush(relay(), point, side, deed);
  }

  private Decision pause() {
    RelayDecision.Ambush ambush = (RelayDecision.Ambush) ambush(RelayDecision.Ambush.Deed.PAUSE);
    if (random.nextBoolean()) {
      later(2, 8, new Decision.Pass(Duration.ofSeconds(16)));
    }
    later(6, 25, new RelayDecision.Resume(ambush.relay()));
    return ambush;
  }

  private Decision down() {
    later(2, 12, new BrokerDecision.Down(false));
    return new BrokerDecision.Down(true);
  }

  private Decision topic() {
    String topic = TOPICS.get(random.nextInt(topics));
    later(3, 20, new Decision.Topic(topic, Setting.NONE));
    Setting setting =
        switch (random.nextInt(4)) {
          case 0 -> Setting.NONE.withStrict(true);
          case 1 -> Setting.NONE.withPerSecond(2);
          case 2 -> Setting.NONE.withInFlight(1);
          default -> Setting.NONE.withPaused(true);
        };
    return new Decision.Topic(topic, setting);
  }
}
