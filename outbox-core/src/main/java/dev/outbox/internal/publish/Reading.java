package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.SendObserver;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** One message is handed to the client. */
  SendObserver.Scope begin(Envelope envelope) {
    return observer == null ? UNWATCHED : observer.sending(List.of(envelope));
  }

  /** A list of messages is handed to the client. */
  SendObserver.Scope begin(List<Envelope> envelopes) {
    return observer == null ? UNWATCHED : observer.sending(envelopes);
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
