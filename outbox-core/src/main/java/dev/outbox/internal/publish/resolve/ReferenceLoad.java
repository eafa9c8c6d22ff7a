package dev.outbox.internal.publish.resolve;

import dev.outbox.internal.publish.Reading;
import dev.outbox.internal.publish.SequentialSend;
import dev.outbox.message.Envelope;
import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import java.sql.Connection;
import java.sql.Savepoint;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The payloads of the references in one flight, or why they are not there.
 *
 * <p>Used by one thread.
 */
final class ReferenceLoad {
  /** Stands for a payload that was left to the publisher: no inner publisher may refuse it. */
  private static final Payload LEFT =
      new Payload(Reference.UNRESOLVED.contentType(), Reference.UNRESOLVED.bytes());

  private final Flight flight;
  private final ResolvingPublisher resolving;
  private final @Nullable Connection claim;
  private final Set<Reference> passing = new HashSet<>();
  private final Map<Reference, Payload> payloads = new HashMap<>();
  private final Map<Reference, Ack> refusals = new HashMap<>();

  private ReferenceLoad(Flight flight, ResolvingPublisher resolving) {
    this.flight = flight;
    this.resolving = resolving;
    this.claim = resolving.isTransactional() ? flight.transaction() : null;
  }

  /** Asks the resolver for all references of {@code flight} at once. */
  static ReferenceLoad of(Flight flight, ResolvingPublisher resolving) {
    ReferenceLoad referenceLoad = new ReferenceLoad(flight, resolving);
    referenceLoad.together(referenceLoad.known());
    return referenceLoad;
  }

  /** The envelope as the publisher gets it, or null when its payload is not there. */
  @Nullable Envelope loaded(Envelope envelope) {
    Reference reference = envelope.reference();
    if (reference == null || !envelope.isUnresolved() || passing.contains(reference)) {
      return envelope;
    }
    Payload payload = payloads.get(reference);
    if (payload == null) {
      return null;
    }
    Envelope loaded = envelope.resolved(payload);
    return loaded.isUnresolved() ? envelope.resolved(LEFT) : loaded;
  }

  /** The answer for an envelope whose payload is not there. */
  Ack refusal(Envelope envelope) {
    Ack refusal = refusals.get(envelope.reference());
    return refusal == null
        ? Ack.rejected(
            "nothing was found for its reference to %s: the row is gone, or its column is null"
                .formatted(envelope.reference()))
        : refusal;
  }

  private Set<Reference> known() {
    Map<String, Boolean> tables = new HashMap<>();
    Set<Reference> known = new LinkedHashSet<>();
    for (Envelope envelope : flight.envelopes()) {
      Reference reference = envelope.reference();
      if (reference != null && envelope.isUnresolved()) {
        if (tables.computeIfAbsent(reference.table(), resolving.resolver()::knows)) {
          known.add(reference);
        } else if (isForThePublisher(envelope)) {
          passing.add(reference);
        } else {
          refusals.put(reference, unknown(reference));
        }
      }
    }
    return known;
  }

  /** True when the publisher loads for itself, or an outer resolver has left it this one. */
  @SuppressWarnings("ReferenceEquality") // what the store reads is equal to it
  private boolean isForThePublisher(Envelope envelope) {
    return envelope.payload() == LEFT || resolving.publisher().resolvesReferences();
  }

  private static Ack unknown(Reference reference) {
    return Ack.unavailable(
        new IllegalStateException(
            "the payload is a reference to %s, a table that no resolver of this relay knows; build it with publisher.resolving(...) and allow the table there"
                .formatted(reference)));
  }

  private void together(Set<Reference> references) {
    if (references.isEmpty()) {
      return;
    }
    Ack refusal = tried(references);
    if (refusal == null) {
      return;
    }
    if (isOfAll(refusal) || references.size() == 1) {
      references.forEach(reference -> refusals.put(reference, refusal));
    } else {
      oneByOne(references);
    }
  }

  private static boolean isOfAll(Ack refusal) {
    return refusal instanceof Ack.Unavailable || refusal instanceof Ack.NotSent;
  }

  /** Until there is no database any more: it would be waited for with each of them. */
  private void oneByOne(Set<Reference> references) {
    Ack down = null;
    for (Reference reference : references) {
      Ack refusal = down == null ? tried(Set.of(reference)) : down;
      if (refusal != null) {
        refusals.put(reference, refusal);
        down = isOfAll(refusal) ? refusal : null;
      }
    }
  }

  /** Null when they were asked for, or why not. */
  private @Nullable Ack tried(Set<Reference> references) {
    if (flight.shouldStop()) {
      return SequentialSend.TOO_LATE;
    }
    try {
      resolve(references);
      return null;
    } catch (Throwable thrown) { // an Error too: nothing of the flight was sent
      if (thrown instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return Reading.reread(Ack.of(thrown), resolving.resolver()::failure);
    }
  }

  /** In a claim's transaction a refused statement must not end what else is there. */
  private void resolve(Set<Reference> references) throws Exception {
    Savepoint before = claim == null ? null : claim.setSavepoint();
    try {
      resolving
          .resolver()
          .resolve(Collections.unmodifiableSet(references), claim)
          .forEach(
              (reference, payload) -> {
                if (payload != null && references.contains(reference)) {
                  payloads.put(reference, payload);
                }
              });
    } catch (Throwable thrown) {
      if (claim != null) {
        claim.rollback(before);
      }
      throw thrown;
    }
  }
}
