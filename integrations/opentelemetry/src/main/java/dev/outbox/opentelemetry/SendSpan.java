package dev.outbox.opentelemetry;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.SendObserver;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The span of one call of the client: current while the call lasts, and ended when the call has
 * returned and every message has its answer.
 *
 * <p>Safe for use by many threads; closed by the thread that began it.
 */
final class SendSpan implements SendObserver.Scope {
  private final Span span;
  private final Scope current;
  private final AtomicInteger awaited;
  private final boolean alone;

  @SuppressWarnings("MustBeClosedChecker") // close() does
  SendSpan(Span span, Context context, int messages) {
    this.span = span;
    this.current = context.makeCurrent();
    this.awaited = new AtomicInteger(messages + 1);
    this.alone = messages == 1;
  }

  @Override
  public void answered(Envelope envelope, Ack ack) {
    if (ack instanceof Ack.Failed failed) {
      failed(envelope, "failed", failed.cause());
    } else if (ack instanceof Ack.Unavailable unavailable) {
      failed(envelope, "unavailable", unavailable.cause());
    } else if (ack instanceof Ack.Rejected rejected) {
      failed(envelope, "rejected", rejected.reason(), "rejected");
    } else if (ack instanceof Ack.NotSent notSent) {
      failed(envelope, "not sent", notSent.reason(), "not_sent");
    }
    endIfOver();
  }

  private void failed(Envelope envelope, String how, Throwable cause) {
    failed(envelope, how, String.valueOf(cause.getMessage()), cause.getClass().getName());
    span.recordException(cause);
  }

  private void failed(Envelope envelope, String how, String reason, String type) {
    span.setStatus(StatusCode.ERROR, how + ": " + reason);
    span.setAttribute(Messaging.ERROR_TYPE, type);
    if (!alone) {
      span.addEvent(how, Attributes.of(Messaging.MESSAGE_ID, envelope.id().toString()));
    }
  }

  @Override
  public void close() {
    current.close();
    endIfOver();
  }

  private void endIfOver() {
    if (awaited.decrementAndGet() == 0) {
      span.end();
    }
  }
}
