package dev.outbox.nats;

import dev.outbox.message.Envelope;
import io.nats.client.impl.Headers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Gives messages to JetStream and passes on its answers, on the client's thread for answers. The
 * next send of a key begins there: it writes to a queue, from which another thread of the client
 * writes to the network.
 *
 * <p>Safe for use by many threads.
 */
record NatsSender(NatsLimits limits, NatsLink link) implements AutoCloseable {
  /** The client would discard a message without a word on a thread that is interrupted. */
  CompletionStage<?> send(Envelope envelope) {
    boolean interrupted = Thread.interrupted();
    try {
      return mapped(envelope);
    } catch (InterruptedException e) {
      interrupted = true;
      return CompletableFuture.failedFuture(e);
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private CompletionStage<?> mapped(Envelope envelope) throws Exception {
    String subject = subject(envelope);
    require(limits.ofNames(envelope, subject));
    Headers headers = limits.mapping().headers(envelope);
    require(NatsLimits.ofHeaders(headers));
    byte[] body = body(envelope);
    require(limits.ofSize(headers, body));
    return publish(subject, headers, body);
  }

  /** Where the function looks may be down, so what it throws is no fault of a message. */
  private String subject(Envelope envelope) {
    try {
      return limits.mapping().subject(envelope);
    } catch (RuntimeException e) {
      throw new NatsErrors.NotNow(
          "no subject for a message of topic %s can be had now: %s".formatted(envelope.topic(), e),
          e);
    }
  }

  private byte[] body(Envelope envelope) {
    try {
      return limits.mapping().body(envelope);
    } catch (IllegalArgumentException e) { // that of a CloudEvent
      throw new NatsErrors.Refused(String.valueOf(e.getMessage()));
    }
  }

  private static void require(@Nullable String refusal) {
    if (refusal != null) {
      throw new NatsErrors.Refused(refusal);
    }
  }

  private CompletionStage<?> publish(String subject, Headers headers, byte[] body)
      throws Exception {
    NatsLink.Open open = link.connected();
    try {
      return open.jetStream()
          .publishAsync(subject, headers, body)
          .handle(
              (answer, thrown) -> {
                if (thrown != null) {
                  throw new CompletionException(NatsErrors.of(thrown, subject, open.serverSaid()));
                }
                return answer;
              });
    } catch (IllegalArgumentException e) {
      // above the max_payload of this server, which may be less than was configured
      throw new NatsErrors.Refused(
          "NATS refuses subject '%s': %s".formatted(subject, e.getMessage()));
    } catch (IllegalStateException e) {
      throw new NatsErrors.NotNow("NATS cannot be written to: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    link.close();
  }
}
