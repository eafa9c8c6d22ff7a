package dev.outbox.testkit.contract;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.testkit.internal.Crew;
import dev.outbox.testkit.network.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** What the cases of the publisher contract share: flights, and what holds of every one. */
@Timeout(value = 5, unit = MINUTES) // a broker may take minutes to restart on a busy machine
abstract class PublisherCases {
  /** What a publish may take longer than its deadline, on a busy machine. */
  private static final Duration TOLERANCE = Duration.ofSeconds(1);

  private static final Duration LOOK = Duration.ofMillis(20);

  /** More than any client needs to find its broker again. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Opener opener;
  private final List<WatchedFlight> flights = new ArrayList<>();
  PublisherEnvironment environment;

  @SuppressWarnings("NullAway.Init")
  PublisherCases(Opener opener) {
    this.opener = opener;
  }

  /** Opens a publisher with an empty broker. */
  interface Opener {
    PublisherEnvironment open() throws Exception;
  }

  @BeforeEach
  void open() throws Exception {
    environment = opener.open();
  }

  @AfterEach
  void close() throws Exception {
    try (PublisherEnvironment closing = environment) {
      if (closing != null) { // null when open() has thrown
        closing.proxy().ifPresent(TcpProxy::restore);
      }
      flights.forEach(PublisherCases::requireOneAnswerEach);
    }
  }

  Envelope message(@Nullable String key, String text) {
    Payload payload =
        new Payload("text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    return new Envelope(
        MessageId.next(),
        environment.topic(),
        key == null ? null : new Key(key),
        Map.of("tenant", "acme"),
        payload,
        null);
  }

  /** Messages of that many keys, each key once. */
  List<Envelope> oneOfEachKey(int keys) {
    return IntStream.range(0, keys).mapToObj(key -> message("k" + key, "k" + key + " 0")).toList();
  }

  boolean isPipelined() {
    return environment.publisher().ordering() == Ordering.PIPELINED;
  }

  static List<MessageId> ids(List<Envelope> envelopes) {
    return envelopes.stream().map(Envelope::id).toList();
  }

  WatchedFlight fly(Envelope... envelopes) throws Exception {
    return fly(List.of(envelopes));
  }

  WatchedFlight fly(List<Envelope> envelopes) throws Exception {
    return fly(envelopes, environment.deadline());
  }

  /** Publishes, waits for the answers, and demands what must hold whatever the broker does. */
  WatchedFlight fly(List<Envelope> envelopes, Duration deadline) throws Exception {
    WatchedFlight flight = begin(envelopes, deadline);
    land(flight, Crew.start(() -> publish(flight)));
    return flight;
  }

  WatchedFlight begin(List<Envelope> envelopes, Duration deadline) {
    WatchedFlight flight = new WatchedFlight(envelopes, deadline);
    synchronized (flights) {
      flights.add(flight);
    }
    return flight;
  }

  /** Publishes on this thread, as the engine does. Returns what was thrown. */
  Optional<Throwable> publish(WatchedFlight flight) {
    try {
      environment.publisher().publish(flight);
      return Optional.empty();
    } catch (Throwable thrown) {
      flight.answerTheRest(thrown);
      return Optional.of(thrown);
    }
  }

  void land(WatchedFlight flight, Future<?> published) throws Exception {
    flight.awaitAnswers();
    requireReturned(flight, published);
    assertThat(flight.unanswered()).as("envelopes without an answer at the deadline").isEmpty();
    requireOneAnswerEach(flight);
    requireArrived(flight.delivered());
  }

  static void requireReturned(WatchedFlight flight, Future<?> published) throws Exception {
    Duration limit = flight.left().plus(TOLERANCE);
    try {
      Crew.end(published, limit.isNegative() ? TOLERANCE : limit);
    } catch (AssertionError e) {
      throw new AssertionError("publish must return by the deadline of its flight", e);
    }
  }

  private static void requireOneAnswerEach(WatchedFlight flight) {
    assertThat(flight.answeredTwice()).as("envelopes that were answered twice").isEmpty();
    assertThat(flight.foreign()).as("answers for envelopes of no or another flight").isEmpty();
  }

  /**
   * Publishes in their order what is not delivered, as a relay does, until nothing is left and all
   * have arrived.
   */
  void deliverTheRest(List<Envelope> envelopes, WatchedFlight... flown) throws Exception {
    Set<MessageId> delivered = new HashSet<>();
    for (WatchedFlight flight : flown) {
      delivered.addAll(flight.delivered());
    }
    long end = System.nanoTime() + PATIENCE.toNanos();
    List<Envelope> left = left(envelopes, delivered);
    while (!left.isEmpty()) {
      WatchedFlight flight = begin(left, environment.deadline());
      publish(flight);
      flight.awaitAnswers();
      delivered.addAll(flight.delivered());
      left = left(envelopes, delivered);
      assertThat(!left.isEmpty() && System.nanoTime() > end)
          .as("out of patience with %s still not delivered", ids(left))
          .isFalse();
      MILLISECONDS.sleep(left.isEmpty() ? 0 : PAUSE.toMillis()); // as a breaker rests
    }
    requireArrived(ids(envelopes));
  }

  private static List<Envelope> left(List<Envelope> envelopes, Set<MessageId> delivered) {
    return envelopes.stream().filter(each -> !delivered.contains(each.id())).toList();
  }

  /** What was answered Delivered is at the broker; a consumer may see it a little later. */
  void requireArrived(List<MessageId> delivered) throws Exception {
    long patience = System.nanoTime() + environment.deadline().toNanos();
    CountDownLatch never = new CountDownLatch(1);
    List<MessageId> arrived = arrivedIds();
    while (!arrived.containsAll(delivered) && System.nanoTime() < patience) {
      if (never.await(LOOK.toMillis(), MILLISECONDS)) {
        return;
      }
      arrived = arrivedIds();
    }
    assertThat(arrived).as("what was answered Delivered is at the broker").containsAll(delivered);
  }

  List<MessageId> arrivedIds() throws Exception {
    return environment.received().stream().map(Received::id).toList();
  }

  /** The texts that the broker has of a key, each id once, in order. */
  List<String> arrivedTexts(String key) throws Exception {
    List<MessageId> seen = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (Received received : environment.received()) {
      if (key.equals(received.key()) && !seen.contains(received.id())) {
        seen.add(received.id());
        texts.add(new String(received.bytes(), StandardCharsets.UTF_8));
      }
    }
    return texts;
  }

  static void leftOut(String what) {
    System.out.println("left out: the environment offers no " + what);
  }
}
