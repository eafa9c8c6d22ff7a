package dev.outbox.publish;

import dev.outbox.message.Envelope;
import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import java.sql.Connection;
import java.sql.Savepoint;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The payloads of the references in one flight, or why they are not there.
 *
 * <p>Used by one thread.
 */
final class Loading {
  private final Resolver resolver;
  private final @Nullable Connection claim;
  private final Map<Reference, Payload> payloads = new HashMap<>();
  private final Map<Reference, Ack> refusals = new HashMap<>();

  private Loading(Resolver resolver, @Nullable Connection claim) {
    this.resolver = resolver;
    this.claim = claim;
  }

  /** Asks {@code resolver} for all at once; {@code claim} is the transaction to read in, if any. */
  static Loading of(List<Envelope> envelopes, Resolver resolver, @Nullable Connection claim) {
    Loading loading = new Loading(resolver, claim);
    loading.together(loading.known(envelopes));
    return loading;
  }

  /** The envelope with its payload, or null when it is not there. */
  @Nullable Envelope loaded(Envelope envelope) {
    Reference reference = envelope.reference();
    if (reference == null || !envelope.isUnresolved()) {
      return envelope;
    }
    Payload payload = payloads.get(reference);
    return payload == null ? null : envelope.resolved(payload);
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

  private Set<Reference> known(List<Envelope> envelopes) {
    Map<String, Boolean> tables = new HashMap<>();
    Set<Reference> known = new LinkedHashSet<>();
    for (Envelope envelope : envelopes) {
      Reference reference = envelope.reference();
      if (reference != null && envelope.isUnresolved()) {
        if (tables.computeIfAbsent(reference.table(), resolver::knows)) {
          known.add(reference);
        } else {
          refusals.put(reference, unknown(reference));
        }
      }
    }
    return known;
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
    try {
      resolve(references);
    } catch (Throwable thrown) { // an Error too: nothing of the flight was sent
      Ack ack = Ack.of(thrown);
      if (ack instanceof Ack.Unavailable || references.size() == 1) {
        references.forEach(reference -> refusals.put(reference, ack));
      } else {
        references.forEach(reference -> together(Set.of(reference)));
      }
    }
  }

  /** In a claim's transaction a refused statement must not end what else stands there. */
  private void resolve(Set<Reference> references) throws Exception {
    Savepoint before = claim == null ? null : claim.setSavepoint();
    try {
      resolver
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
