package dev.outbox.testkit.contract;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A flight that remembers every answer, as the engine counts them: by the envelope itself, not by
 * its equals.
 *
 * <p>Safe for use by many threads.
 */
final class WatchedFlight implements Flight {
  private static final int LAST_CALL_PART = 10;

  private final List<Envelope> envelopes;
  private final IdentityHashMap<Envelope, List<Ack>> answers = new IdentityHashMap<>();
  private final List<Envelope> foreign = new ArrayList<>();
  private final long start = System.nanoTime();
  private final Instant deadline;
  private final Duration time;

  WatchedFlight(List<Envelope> envelopes, Duration time) {
    this.envelopes = List.copyOf(envelopes);
    this.time = time;
    this.deadline = Instant.now().plus(time);
    envelopes.forEach(envelope -> answers.put(envelope, new ArrayList<>()));
  }

  @Override
  public List<Envelope> envelopes() {
    return envelopes;
  }

  @Override
  public Instant deadline() {
    return deadline;
  }

  @Override
  public boolean shouldStop() {
    return left().compareTo(time.dividedBy(LAST_CALL_PART)) <= 0;
  }

  /** The time until the deadline, negative after it. */
  Duration left() {
    return time.minusNanos(System.nanoTime() - start);
  }

  @Override
  public synchronized void ack(Envelope envelope, @Nullable Ack ack) {
    List<Ack> given = answers.get(envelope);
    if (given == null) {
      foreign.add(envelope);
    } else {
      given.add(Objects.requireNonNullElseGet(ack, WatchedFlight::none));
    }
    notifyAll();
  }

  private static Ack none() {
    return Ack.failed(new NullPointerException("the publisher answered null"));
  }

  /** Answers what has no answer, as the engine does for a publisher that throws. */
  synchronized void answerTheRest(Throwable thrown) {
    answers.values().stream().filter(List::isEmpty).forEach(none -> none.add(Ack.of(thrown)));
    notifyAll();
  }

  /** Waits until all are answered, or the deadline. */
  synchronized void awaitAnswers() throws InterruptedException {
    long millis = left().toMillis(); // asked once, as a wait of 0 ms never ends
    while (!unanswered().isEmpty() && millis > 0) {
      wait(millis);
      millis = left().toMillis();
    }
  }

  /** Waits until one is delivered, or all are answered, or the deadline. */
  synchronized void awaitDelivered() throws InterruptedException {
    long millis = left().toMillis();
    while (delivered().isEmpty() && !unanswered().isEmpty() && millis > 0) {
      wait(millis);
      millis = left().toMillis();
    }
  }

  synchronized List<Envelope> unanswered() {
    return envelopes.stream().filter(envelope -> given(envelope).isEmpty()).toList();
  }

  synchronized List<Envelope> answeredTwice() {
    return envelopes.stream().filter(envelope -> given(envelope).size() > 1).toList();
  }

  synchronized List<Envelope> foreign() {
    return List.copyOf(foreign);
  }

  /** The first answer, which is the one that counts; null when there is none. */
  synchronized @Nullable Ack answer(Envelope envelope) {
    List<Ack> given = given(envelope);
    return given.isEmpty() ? null : given.get(0);
  }

  synchronized List<MessageId> delivered() {
    return envelopes.stream()
        .filter(envelope -> answer(envelope) instanceof Ack.Delivered)
        .map(Envelope::id)
        .toList();
  }

  /** What was not delivered, each with its answer. */
  synchronized List<String> undelivered() {
    return envelopes.stream()
        .filter(envelope -> !(answer(envelope) instanceof Ack.Delivered))
        .map(envelope -> "%s: %s".formatted(envelope.id(), answer(envelope)))
        .toList();
  }

  private List<Ack> given(Envelope envelope) {
    return Objects.requireNonNull(answers.get(envelope));
  }

  @Override
  public Connection transaction() {
    throw new UnsupportedOperationException(
        "the publisher contract flies as over lanes, which keep no transaction open");
  }
}
