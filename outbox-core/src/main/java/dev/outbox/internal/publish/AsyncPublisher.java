package dev.outbox.internal.publish;

import dev.outbox.internal.publish.pace.Window;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.publish.SendObserver;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Starts a send for every key of a flight at once, or for as many as the window takes, and the next
 * of a key when the one before it was delivered. A null window takes all.
 */
public record AsyncPublisher(
    Function<Envelope, ? extends CompletionStage<?>> send, Reading reading, @Nullable Window window)
    implements Publisher {
  @Override
  public void publish(Flight flight) {
    List<KeyChain> chains = KeyChain.of(flight);
    if (window == null) {
      chains.forEach(chain -> new Sending(chain).goOn());
    } else {
      window.enter(chains.stream().filter(KeyChain::goesOn).map(Sending::new).toList());
    }
  }

  @Override
  public Publisher classify(Function<Throwable, Ack> classifier) {
    return new AsyncPublisher(send, reading.classified(classifier), window);
  }

  @Override
  public Publisher observed(SendObserver observer) {
    return new AsyncPublisher(send, reading.observed(observer), window);
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
  private final class Sending implements Window.Entry {
    private final KeyChain chain;
    private final AtomicInteger due = new AtomicInteger();

    Sending(KeyChain chain) {
      this.chain = chain;
    }

    /**
     * The thread that finds nothing under way sends; others leave it to them, so that nothing
     * recurses. A window sees to that itself.
     */
    void goOn() {
      if (due.getAndIncrement() == 0) {
        do {
          sendNext(null);
        } while (due.decrementAndGet() > 0);
      }
    }

    @Override
    public void begin(Window.Place place) {
      sendNext(place);
    }

    @Override
    public boolean isTooLate() {
      return chain.flight().shouldStop();
    }

    @Override
    public void turnAway() {
      chain.stopLate();
    }

    @Override
    public boolean isOver() {
      return chain.isOver();
    }

    private void sendNext(Window.@Nullable Place place) {
      if (!chain.goesOn()) {
        if (place != null) {
          place.leave(null);
        }
        return;
      }
      Envelope head = chain.head();
      SendObserver.Scope scope = reading.begin(chain.flight(), head);
      try (scope) {
        Objects.requireNonNull(
                send.apply(head),
                "the publisher returned null; return the CompletionStage of the send")
            .whenComplete((sent, thrown) -> ended(head, scope, thrown, place));
      } catch (Throwable thrown) { // an Error would answer sends that are in flight
        ended(head, scope, thrown, place);
      }
    }

    private void ended(
        Envelope head,
        SendObserver.Scope scope,
        @Nullable Throwable thrown,
        Window.@Nullable Place place) {
      Ack ack = thrown == null ? Ack.delivered() : reading.thrown(thrown);
      scope.answered(head, ack);
      chain.answer(ack);
      if (place == null) {
        goOn();
      } else {
        place.leave(chain.goesOn() ? this : null);
      }
    }
  }
}
