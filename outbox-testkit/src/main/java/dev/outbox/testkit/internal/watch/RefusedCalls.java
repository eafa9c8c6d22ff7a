package dev.outbox.testkit.internal.watch;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Which messages the broker refuses, by their text, and what that means to a relay.
 *
 * <p>Safe for use by many threads.
 */
public final class RefusedCalls {
  private final Map<String, Refusal> byText = new HashMap<>();
  private final Set<MessageId> refused = new HashSet<>();

  private record Refusal(Function<Throwable, Ack> ack, boolean once) {}

  /** How a broker says no. */
  private static final class No extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Function<Throwable, Ack> ack;

    No(String text, Function<Throwable, Ack> ack) {
      super(text);
      this.ack = ack;
    }
  }

  public synchronized void add(String text, Function<Throwable, Ack> ack, boolean once) {
    byText.put(text, new Refusal(ack, once));
  }

  /** Throws when the broker refuses it. */
  public synchronized void check(Envelope envelope) throws Exception {
    Refusal refusal = byText.get(envelope.payload().text());
    if (refusal != null && (!refusal.once() || refused.add(envelope.id()))) {
      throw new No(envelope.payload().text(), refusal.ack());
    }
  }

  /** True when the broker will never take it. */
  public synchronized boolean isForGood(Envelope envelope) {
    Refusal refusal = byText.get(envelope.payload().text());
    return refusal != null && !refusal.once();
  }

  /** What a failed send means. */
  public static Ack ack(Throwable cause) {
    return cause instanceof No no ? no.ack.apply(cause) : Ack.of(cause);
  }
}
