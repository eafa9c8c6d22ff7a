package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Hands over lists: all envelopes without a key and the next of each key, until none are left. */
public record BatchPublisher(
    Publisher.SendBatch send, UnaryOperator<Ack> reading, Function<Throwable, Ack> silent)
    implements Publisher {
  @Override
  public void publish(Flight flight) {
    List<KeyChain> chains = new ArrayList<>(KeyChain.of(flight));
    chains.removeIf(chain -> !chain.goesOn());
    while (!chains.isEmpty()) {
      List<Ack> acks = send(chains.stream().map(KeyChain::head).toList());
      for (int place = 0; place < chains.size(); place++) {
        chains.get(place).answer(reading.apply(acks.get(place)));
      }
      chains.removeIf(chain -> !chain.goesOn());
    }
  }

  private List<Ack> send(List<Envelope> envelopes) {
    try {
      return checked(send.send(envelopes), envelopes.size());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Collections.nCopies(envelopes.size(), Ack.of(e));
    } catch (Throwable thrown) { // an Error too: what other lists were answered stands
      return Collections.nCopies(envelopes.size(), Ack.of(thrown));
    }
  }

  /** With an answer too few or too many nobody knows whose the others are. */
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
        ? Ack.failed(new IllegalStateException("the batch answered this message with null"))
        : ack;
  }

  /** Read before the key goes on: a failure read as Delivered does not stop it. */
  @Override
  public Publisher classify(Function<Throwable, Ack> classifier) {
    Objects.requireNonNull(classifier, "classifier");
    return new BatchPublisher(
        send,
        ack -> ClassifyingPublisher.reread(reading.apply(ack), classifier),
        thrown -> ClassifyingPublisher.reread(silent.apply(thrown), classifier));
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return silent.apply(silence);
  }

  @Override
  public Ordering ordering() {
    return Ordering.PIPELINED;
  }
}
