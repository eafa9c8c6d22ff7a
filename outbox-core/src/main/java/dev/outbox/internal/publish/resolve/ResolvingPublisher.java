package dev.outbox.internal.publish.resolve;

import dev.outbox.internal.publish.BrokenKeys;
import dev.outbox.internal.publish.SequentialSend;
import dev.outbox.internal.publish.WrappingFlight;
import dev.outbox.internal.publish.WrappingPublisher;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.publish.Resolver;
import dev.outbox.publish.SendObserver;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Loads the payloads of a flight before another publisher sends it. A flight without references
 * passes as it is.
 *
 * <p>One whose payload is not there stops the later ones of its key, as {@link Ordering#PIPELINED}
 * demands.
 */
public final class ResolvingPublisher implements WrappingPublisher {
  private final Publisher publisher;
  private final Resolver resolver;
  private final Set<Flight> loading = ConcurrentHashMap.newKeySet();

  /**
   * The envelopes of a flight with their payloads loaded; an answer to one of them answers the one
   * of the flight that it was made of, which is in {@code originals}. Safe for use by many threads.
   */
  private record ResolvedFlight(
      Flight flight, List<Envelope> envelopes, IdentityHashMap<Envelope, Envelope> originals)
      implements WrappingFlight {
    ResolvedFlight {
      envelopes = List.copyOf(envelopes);
    }

    @Override
    public void ack(Envelope envelope, Ack ack) {
      flight.ack(originals.getOrDefault(envelope, envelope), ack);
    }
  }

  public ResolvingPublisher(Publisher publisher, Resolver resolver) {
    this.publisher = publisher;
    this.resolver = resolver;
  }

  @Override
  public void publish(Flight flight) throws Exception {
    if (flight.envelopes().stream().noneMatch(Envelope::isUnresolved)) {
      publisher.publish(flight);
      return;
    }
    Flight loaded = load(flight);
    if (flight.shouldStop()) { // the relay may have taken them back, and have sent them since
      loaded.envelopes().forEach(envelope -> loaded.ack(envelope, SequentialSend.TOO_LATE));
    } else if (!loaded.envelopes().isEmpty()) {
      publisher.publish(loaded);
    }
  }

  private Flight load(Flight flight) {
    loading.add(flight);
    try {
      return loaded(flight, ReferenceLoad.of(flight, this));
    } finally {
      loading.remove(flight);
    }
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  Resolver resolver() {
    return resolver;
  }

  private static Flight loaded(Flight flight, ReferenceLoad referenceLoad) {
    List<Envelope> envelopes = new ArrayList<>();
    IdentityHashMap<Envelope, Envelope> originals = new IdentityHashMap<>();
    BrokenKeys broken = new BrokenKeys();
    for (Envelope envelope : flight.envelopes()) {
      Envelope whole = referenceLoad.loaded(envelope);
      if (broken.stop(envelope)) {
        flight.ack(envelope, BrokenKeys.BEHIND);
      } else if (whole == null) {
        broken.broke(envelope);
        flight.ack(envelope, referenceLoad.refusal(envelope));
      } else {
        envelopes.add(whole);
        originals.put(whole, envelope);
      }
    }
    return new ResolvedFlight(flight, envelopes, originals);
  }

  @Override
  public Publisher classify(Function<Throwable, Ack> classifier) {
    return new ResolvingPublisher(publisher.classify(classifier), resolver);
  }

  @Override
  public Publisher observed(SendObserver observer) {
    return new ResolvingPublisher(publisher.observed(observer), resolver);
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return isLoading(envelope)
        ? Ack.unavailable(
            new IllegalStateException(
                "its payload was not loaded by the deadline of its flight", silence))
        : publisher.unanswered(envelope, silence);
  }

  /** True when the broker cannot have it: who loads has not come back. */
  private boolean isLoading(Envelope envelope) {
    return loading.stream()
        .flatMap(flight -> flight.envelopes().stream())
        .anyMatch(each -> each.id().equals(envelope.id()));
  }

  @Override
  public boolean resolvesReferences() {
    return true;
  }
}
