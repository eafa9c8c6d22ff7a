package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.publish.SendObserver;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Starts a send for every key of a flight at once, and the next of a key when the one before it was
 * delivered.
 */
public record AsyncPublisher(Function<Envelope, ? extends CompletionStage<?>> send, Reading reading)
    implements Publisher {
  @Override
  public void publish(Flight flight) {
    KeyChain.of(flight).forEach(chain -> new Sending(chain).goOn());
  }

  @Override
  public Publisher classify(Function<Throwable, Ack> classifier) {
    return new AsyncPublisher(send, reading.classified(classifier));
  }

  @Override
  public Publisher observed(SendObserver observer) {
    return new AsyncPublisher(send, reading.observed(observer));
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return reading.silence(silence);
  }

  @Override
  public Ordering ordering() {
    return Ordering.PIPELINED;
  }

  /** One chain on its way. A send that ends at once goes on in the loop that began it. */
  private final class Sending {
    private final KeyChain chain;
    private final AtomicInteger due = new AtomicInteger();

    Sending(KeyChain chain) {
      this.chain = chain;
    }

    /** Whoever finds nothing under way sends; others leave it to them, so that nothing recurses. */
    void goOn() {
      if (due.getAndIncrement() == 0) {
        do {
          sendNext();
        } while (due.decrementAndGet() > 0);
      }
    }

    private void sendNext() {
      if (!chain.goesOn()) {
        return;
      }
      Envelope head = chain.head();
      SendObserver.Scope scope = reading.begin(head);
      try (scope) {
        Objects.requireNonNull(
                send.apply(head),
                "the publisher returned null; return the CompletionStage of the send")
            .whenComplete((sent, thrown) -> ended(head, scope, thrown));
      } catch (Throwable thrown) { // an Error would answer sends that are in flight
        ended(head, scope, thrown);
      }
    }

    private void ended(Envelope head, SendObserver.Scope scope, @Nullable Throwable thrown) {
      Ack ack = thrown == null ? Ack.delivered() : reading.thrown(thrown);
      scope.answered(head, ack);
      chain.answer(ack);
      goOn();
    }
  }
}
