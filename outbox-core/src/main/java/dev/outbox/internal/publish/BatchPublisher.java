package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.publish.SendObserver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Hands over lists: all envelopes without a key and the next of each key, until none are left. */
public record BatchPublisher(Publisher.SendBatch send, Reading reading) implements Publisher {
  @Override
  public void publish(Flight flight) {
    List<KeyChain> chains = new ArrayList<>(KeyChain.of(flight));
    chains.removeIf(chain -> !chain.goesOn());
    while (!chains.isEmpty()) {
      send(flight, chains);
      chains.removeIf(chain -> !chain.goesOn());
    }
  }

  private void send(Flight flight, List<KeyChain> chains) {
    List<Envelope> heads = chains.stream().map(KeyChain::head).toList();
    SendObserver.Scope scope = reading.begin(flight, heads);
    List<Ack> acks = send(heads, scope);
    for (int place = 0; place < chains.size(); place++) {
      Ack ack = reading.read(acks.get(place));
      scope.answered(heads.get(place), ack);
      chains.get(place).answer(ack);
    }
  }

  private List<Ack> send(List<Envelope> envelopes, SendObserver.Scope scope) {
    try (scope) {
      return checked(send.send(envelopes), envelopes.size());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Collections.nCopies(envelopes.size(), Ack.of(e));
    } catch (Throwable thrown) { // an Error too: what other lists were answered stands
      return Collections.nCopies(envelopes.size(), Ack.of(thrown));
    }
  }

  /** With an answer too few or too many it is not known whose the others are. */
  private static List<Ack> checked(@Nullable List<Ack> acks, int size) {
    if (acks == null || acks.size() != size) {
      throw new IllegalStateException(
          "a batch of %d messages was answered by %s; return one Ack for each message, in their order"
              .formatted(size, acks == null ? "null" : acks.size() + " Acks"));
    }
    return acks.stream().map(BatchPublisher::given).toList();
  }

  private static Ack given(@Nullable Ack ack) {
    return ack == null
        ? Ack.failed(
            new IllegalStateException(
                "the batch answered this message with null; return one Ack for each message, in their order"))
        : ack;
  }

  /** Read before the key goes on: a failure read as Delivered does not stop it. */
  @Override
  public Publisher classify(Function<Throwable, Ack> classifier) {
    return new BatchPublisher(send, reading.classified(classifier));
  }

  @Override
  public Publisher observed(SendObserver observer) {
    return new BatchPublisher(send, reading.observed(observer));
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return reading.silence(silence);
  }

  @Override
  public Ordering ordering() {
    return Ordering.PIPELINED;
  }
}
