package dev.outbox.internal.publish;

import dev.outbox.internal.publish.pace.LandingFlight;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.SendObserver;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a publisher makes of answers, of what is thrown and of silence, and who watches its sends.
 *
 * <p>Immutable.
 */
public record Reading(UnaryOperator<Ack> answers, @Nullable GuardedObserver observer) {
  /** As {@link Ack#of} says, without an observer. */
  public static final Reading PLAIN = new Reading(UnaryOperator.identity(), null);

  private static final Logger log = LoggerFactory.getLogger(Reading.class);
  private static final SendObserver.Scope UNWATCHED = () -> {};
  private static final String GIVEN_UP =
      "no answer until the publishDeadline, the loss of the lease or the close of the relay";

  /** Read before a key goes on: a failure read as Delivered does not stop it. */
  Reading classified(Function<Throwable, Ack> classifier) {
    Function<Throwable, Ack> logging = logging(Objects.requireNonNull(classifier, "classifier"));
    return new Reading(ack -> reread(answers.apply(ack), logging), observer);
  }

  /**
   * The same classifier, and what it throws is logged: the first time as a warning, then at debug
   * level.
   */
  static Function<Throwable, Ack> logging(Function<Throwable, Ack> classifier) {
    AtomicBoolean warned = new AtomicBoolean();
    return cause -> {
      try {
        return classifier.apply(cause);
      } catch (Throwable thrown) {
        String text = "a classifier threw, so the failure is read without it";
        if (warned.compareAndSet(false, true)) {
          log.warn("{}; what else it throws is logged at debug level", text, thrown);
        } else {
          log.debug(text, thrown);
        }
        throw thrown;
      }
    };
  }

  Reading observed(SendObserver another) {
    return new Reading(answers, GuardedObserver.around(another, observer));
  }

  /** What the client said. */
  Ack read(Ack ack) {
    return answers.apply(ack);
  }

  Ack thrown(Throwable thrown) {
    return answers.apply(Ack.of(thrown));
  }

  Ack silence(Throwable silence) {
    return answers.apply(Ack.failed(silence));
  }

  /** One message of the flight is handed to the client. */
  SendObserver.Scope begin(Flight flight, Envelope envelope) {
    return observer == null ? UNWATCHED : begin(flight, List.of(envelope));
  }

  /** A list of messages of the flight is handed to the client. */
  SendObserver.Scope begin(Flight flight, List<Envelope> envelopes) {
    return begin(flight, envelopes, (envelope, silence) -> silence(silence));
  }

  /** As the other; a message without an answer is told as {@code unanswered} says. */
  SendObserver.Scope begin(
      Flight flight,
      List<Envelope> envelopes,
      BiFunction<Envelope, TimeoutException, Ack> unanswered) {
    if (observer == null) {
      return UNWATCHED;
    }
    AwaitedAnswers awaited = new AwaitedAnswers(observer.sending(envelopes), envelopes);
    if (flight instanceof LandingFlight landing) {
      landing.whenLanded(() -> awaited.giveUp(unanswered));
    }
    return awaited;
  }

  /**
   * Passes on one answer of each message: that of the client, or that there was none when the
   * flight landed.
   */
  private static final class AwaitedAnswers implements SendObserver.Scope {
    private final SendObserver.Scope scope;
    private final List<Envelope> envelopes;
    private final Set<Envelope> open;

    AwaitedAnswers(SendObserver.Scope scope, List<Envelope> envelopes) {
      this.scope = scope;
      this.envelopes = envelopes;
      this.open =
          Collections.synchronizedSet(
              Collections.newSetFromMap(new IdentityHashMap<>(envelopes.size())));
      open.addAll(envelopes);
    }

    void giveUp(BiFunction<Envelope, TimeoutException, Ack> unanswered) {
      for (Envelope envelope : envelopes) {
        if (open.remove(envelope)) {
          scope.answered(envelope, given(unanswered, envelope));
        }
      }
    }

    private static Ack given(
        BiFunction<Envelope, TimeoutException, Ack> unanswered, Envelope envelope) {
      TimeoutException silence = new TimeoutException(GIVEN_UP);
      try {
        return Objects.requireNonNull(unanswered.apply(envelope, silence), "unanswered");
      } catch (Throwable thrown) { // the relay asks it too, and logs it
        return Ack.failed(silence);
      }
    }

    @Override
    public void answered(Envelope envelope, Ack ack) {
      if (open.remove(envelope)) {
        scope.answered(envelope, ack);
      }
    }

    @Override
    public void close() {
      scope.close();
    }
  }

  /**
   * The answer as {@code classifier} reads it. One that throws or says nothing changes nothing, or
   * the answer would be lost. What was never sent has no failure to read.
   */
  public static Ack reread(Ack ack, Function<Throwable, Ack> classifier) {
    if (ack instanceof Ack.Failed failed) {
      return reread(ack, failed.cause(), classifier);
    }
    return ack instanceof Ack.Unavailable unavailable
        ? reread(ack, unavailable.cause(), classifier)
        : ack;
  }

  private static Ack reread(Ack ack, Throwable cause, Function<Throwable, Ack> classifier) {
    try {
      Ack read = classifier.apply(cause);
      return read == null ? ack : read;
    } catch (Throwable thrown) {
      if (thrown != cause) {
        cause.addSuppressed(thrown);
      }
      return ack;
    }
  }
}
