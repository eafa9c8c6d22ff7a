package dev.outbox.jms;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection with one session and one producer, renewed with the next message after it was lost.
 *
 * <p>A session is for one thread at a time, so one thread at a time calls {@link #send}. Whatever
 * closes a connection may wait for its broker, so that is done elsewhere.
 */
final class JmsLink implements AutoCloseable {
  private static final long LEAST_REST = TimeUnit.MILLISECONDS.toNanos(100);

  /** Of more destinations than this the session forgets the objects and makes them again. */
  private static final int KNOWN = 1000;

  private final Source source;
  private final JmsMapping mapping;
  private final Executor closing;
  private final Map<JmsDestination, jakarta.jms.Destination> known = new HashMap<>();
  private @Nullable Open open;
  private @Nullable Outage outage;

  /** The send that is in the call of the client. */
  private volatile @Nullable Call call;

  private record Call(CompletableFuture<Void> sent, Open on) {}

  /** Opens connections. */
  interface Source {
    Connection open() throws JMSException;
  }

  /** {@code failed} is set by any thread that sees it fail. */
  private record Open(
      Connection connection, Session session, MessageProducer producer, AtomicBoolean failed) {}

  /** No thread tries again until then. */
  private record Outage(JmsErrors.NotNow why, long until) {}

  JmsLink(Source source, JmsMapping mapping, Executor closing) {
    this.source = source;
    this.mapping = mapping;
    this.closing = closing;
  }

  /**
   * Begins a send; {@code sent} gets the broker's answer. Before that it may wait for the broker,
   * as for a connection; if {@code isOver} is true then, nothing is sent.
   *
   * @return what to call when the broker keeps the answer back
   */
  Runnable send(Envelope envelope, CompletableFuture<Void> sent, BooleanSupplier isOver)
      throws JMSException {
    JmsDestination to = mapping.destination(envelope); // before there is a connection to blame
    Open on = open();
    call = new Call(sent, on);
    try {
      Message message = message(envelope, on.session());
      jakarta.jms.Destination there = destination(to, on.session());
      if (!isOver.getAsBoolean()) {
        on.producer()
            .send(
                there,
                message,
                DeliveryMode.PERSISTENT,
                Message.DEFAULT_PRIORITY,
                Message.DEFAULT_TIME_TO_LIVE,
                new Answer(sent, on));
      }
    } catch (JMSException | RuntimeException e) {
      fail(on, e);
      throw e;
    } finally {
      call = null;
    }
    return () -> on.failed().set(true);
  }

  /** Only here is such an exception of the message: a client may throw it for another reason. */
  private Message message(Envelope envelope, Session session) throws JMSException {
    try {
      return mapping.message(envelope, session);
    } catch (IllegalArgumentException e) {
      throw new JmsErrors.Refused(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Ends a send that is in the call of the client, by the end of its connection: called by any
   * thread. A client may wait there for room at an address, and all other sends behind it.
   */
  void abandon(CompletableFuture<Void> sent) {
    Call now = call;
    if (now != null && now.sent() == sent) {
      now.on().failed().set(true);
      closing.execute(() -> closeQuietly(now.on().connection(), null));
    }
  }

  /** The broker's answer to one send. */
  private record Answer(CompletableFuture<Void> sent, Open on) implements CompletionListener {
    @Override
    public void onCompletion(Message message) {
      sent.complete(null);
    }

    @Override
    public void onException(Message message, Exception thrown) {
      fail(on, thrown);
      sent.completeExceptionally(thrown);
    }
  }

  private static void fail(Open on, Exception thrown) {
    if (!JmsErrors.isOfOneSend(thrown)) {
      on.failed().set(true);
    }
  }

  private jakarta.jms.Destination destination(JmsDestination named, Session session)
      throws JMSException {
    jakarta.jms.Destination there = known.get(named);
    if (there == null) {
      if (known.size() >= KNOWN) {
        known.clear();
      }
      there = made(named, session);
      known.put(named, there);
    }
    return there;
  }

  /** Some brokers look at once whether it is there, and say that it is not in a text only. */
  private static jakarta.jms.Destination made(JmsDestination named, Session session)
      throws JMSException {
    try {
      return named.of(session);
    } catch (JMSException e) {
      if (Ack.of(e) instanceof Ack.Unavailable) {
        throw e;
      }
      throw new JmsErrors.NoDestination(named, e);
    }
  }

  private Open open() {
    Open there = open;
    if (there != null && !there.failed().get()) {
      return there;
    }
    close();
    if (outage != null && outage.until() - System.nanoTime() > 0) {
      throw outage.why();
    }
    long begun = System.nanoTime();
    try {
      open = opened();
      return open;
    } catch (JMSException | RuntimeException e) {
      long end = System.nanoTime();
      JmsErrors.NotNow why = JmsErrors.connecting(e);
      outage = new Outage(why, end + Math.max(end - begun, LEAST_REST));
      throw why;
    }
  }

  private Open opened() throws JMSException {
    Connection connection = source.open();
    try {
      AtomicBoolean failed = new AtomicBoolean();
      connection.setExceptionListener(lost -> failed.set(true));
      Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
      return new Open(connection, session, session.createProducer(null), failed);
    } catch (JMSException | RuntimeException e) {
      closing.execute(() -> closeQuietly(connection, e));
      throw e;
    }
  }

  private static void closeQuietly(Connection connection, @Nullable Exception why) {
    try {
      connection.close();
    } catch (JMSException | RuntimeException e) { // it was lost before, and that has been told
      if (why != null) {
        why.addSuppressed(e);
      }
    }
  }

  /** Gives up what it has opened. What is on its way is answered by the broker's client. */
  @Override
  public void close() {
    Open there = open;
    if (there != null) {
      open = null;
      known.clear();
      closing.execute(() -> closeQuietly(there.connection(), null));
    }
  }
}
