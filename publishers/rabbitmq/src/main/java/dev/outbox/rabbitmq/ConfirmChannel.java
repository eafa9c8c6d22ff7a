package dev.outbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import dev.outbox.message.Envelope;
import dev.outbox.message.Payload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A channel in confirm mode and what is unconfirmed on it.
 *
 * <p>The broker numbers what arrives on a channel, and answers by number. It acknowledges what it
 * cannot route, too: of that it says so before, in a {@code basic.return} without a number. When it
 * closes the channel, whatever is unconfirmed gets no other answer.
 *
 * <p>Safe for use by many threads; one at a time publishes.
 */
final class ConfirmChannel {
  private final Channel channel;
  private final Executor answers;
  private final ConcurrentNavigableMap<Long, Unconfirmed> unconfirmed =
      new ConcurrentSkipListMap<>();
  private final Queue<Unwritten> unwritten = new ConcurrentLinkedQueue<>();
  private final AtomicInteger due = new AtomicInteger();
  private volatile boolean dead;
  private int entered;
  private boolean retired;

  /** One that is about to be written. */
  private record Unwritten(Unconfirmed message, AMQP.BasicProperties properties, Payload payload) {}

  /** One that is on its way. */
  private static final class Unconfirmed {
    final CompletableFuture<Void> sent = new CompletableFuture<>();
    final String id;
    final Destination destination;
    final long size;
    final long since = System.nanoTime();
    volatile @Nullable String returned;

    Unconfirmed(String id, Destination destination, long size) {
      this.id = id;
      this.destination = destination;
      this.size = size;
    }
  }

  private ConfirmChannel(Channel channel, Executor answers) {
    this.channel = channel;
    this.answers = answers;
  }

  /** {@code limit} learns the broker's own from a channel that it closed for it. */
  static ConfirmChannel open(Channel channel, Executor answers, SizeLimit limit)
      throws IOException {
    ConfirmChannel confirms = new ConfirmChannel(channel, answers);
    channel.addReturnListener(confirms::returned);
    channel.addConfirmListener(confirms::acked, confirms::nacked);
    channel.addShutdownListener(closed -> confirms.closed(closed, limit));
    try {
      channel.confirmSelect();
    } catch (IOException | RuntimeException e) {
      confirms.abort(); // or the connection never gets its number back
      throw e;
    }
    return confirms;
  }

  boolean isOpen() {
    return !dead && hasNumber();
  }

  /** True while it is one of the channels of its connection, although it may be given up. */
  boolean hasNumber() {
    return channel.isOpen();
  }

  boolean isWriting() {
    return due.get() > 0;
  }

  /** True when the broker keeps an answer back for longer than this. */
  boolean isSilentFor(long nanos) {
    Map.Entry<Long, Unconfirmed> oldest = unconfirmed.firstEntry();
    return oldest != null && System.nanoTime() - oldest.getValue().since > nanos;
  }

  /** Null when it was given up for being idle. */
  @Nullable CompletionStage<Void> publish(Envelope envelope, Destination destination) {
    if (!enter()) {
      return null;
    }
    try {
      return begin(envelope, destination);
    } finally {
      leave();
    }
  }

  private synchronized boolean enter() {
    entered += retired ? 0 : 1;
    return !retired;
  }

  private synchronized void leave() {
    entered--;
  }

  /** False while something is on its way, or a thread is about to publish. */
  boolean abortIfIdle() {
    synchronized (this) {
      if (entered > 0 || !unconfirmed.isEmpty() || !unwritten.isEmpty()) {
        return false;
      }
      retired = true;
      dead = true;
    }
    abort();
    return true;
  }

  /** The thread that finds no other writing writes; others leave it to them, so that none waits. */
  private CompletionStage<Void> begin(Envelope envelope, Destination destination) {
    AMQP.BasicProperties properties = AmqpMapping.properties(envelope);
    Payload payload = envelope.payload();
    Unconfirmed message =
        new Unconfirmed(properties.getMessageId(), destination, payload.bytes().length);
    unwritten.add(new Unwritten(message, properties, payload));
    if (due.getAndIncrement() == 0) {
      do {
        Unwritten next = unwritten.poll();
        if (next != null) {
          write(next);
        }
      } while (due.decrementAndGet() > 0);
    }
    return message.sent;
  }

  private void write(Unwritten next) {
    Unconfirmed message = next.message();
    if (dead && channel.isOpen()) { // an answer by number would be that of another message
      Exception why =
          new RabbitErrors.NotNow("its channel is given up, the next message opens one");
      answers.execute(() -> message.sent.completeExceptionally(why));
      return;
    }
    Destination to = message.destination;
    long number = channel.getNextPublishSeqNo();
    unconfirmed.put(number, message);
    try {
      channel.basicPublish(
          to.exchange(), to.routingKey(), true, false, next.properties(), next.payload().bytes());
    } catch (IOException | RuntimeException e) {
      // the client has counted what the broker may never see: from here on the numbers differ
      dead = true;
      unconfirmed.remove(number);
      answers.execute(() -> message.sent.completeExceptionally(unwritten(e)));
    }
  }

  /** The client refuses what does not fit into a frame of this connection. */
  private static Throwable unwritten(Exception thrown) {
    return thrown instanceof IllegalArgumentException
        ? new RabbitErrors.Refused("RabbitMQ's client refuses it: " + thrown.getMessage())
        : thrown;
  }

  /** Comes before the acknowledgement of the same message. */
  private void returned(Return back) {
    String id = back.getProperties().getMessageId();
    for (Unconfirmed each : unconfirmed.values()) {
      if (each.returned == null && each.id.equals(id)) {
        each.returned =
            "no queue bound: RabbitMQ cannot route to %s (%d %s)"
                .formatted(each.destination, back.getReplyCode(), back.getReplyText());
        return;
      }
    }
  }

  private void acked(long number, boolean all) {
    List<Unconfirmed> confirmed = take(number, all);
    answers.execute(() -> confirmed.forEach(ConfirmChannel::complete));
  }

  private static void complete(Unconfirmed message) {
    String returned = message.returned;
    if (returned == null) {
      message.sent.complete(null);
    } else {
      message.sent.completeExceptionally(new RabbitErrors.NotNow(returned));
    }
  }

  private void nacked(long number, boolean all) {
    List<Unconfirmed> refused = take(number, all);
    answers.execute(
        () ->
            refused.forEach(
                each -> each.sent.completeExceptionally(new NackException(each.destination))));
  }

  private List<Unconfirmed> take(long number, boolean all) {
    List<Unconfirmed> taken = new ArrayList<>();
    if (all) {
      ConcurrentNavigableMap<Long, Unconfirmed> those = unconfirmed.headMap(number, true);
      for (Map.Entry<Long, Unconfirmed> head = those.pollFirstEntry();
          head != null;
          head = those.pollFirstEntry()) {
        taken.add(head.getValue());
      }
    } else {
      Unconfirmed one = unconfirmed.remove(number);
      if (one != null) {
        taken.add(one);
      }
    }
    return taken;
  }

  /**
   * What is unconfirmed gets no answer for now. Should the broker take it later, it is a repeat.
   */
  void giveUp(RuntimeException why) {
    List<Unconfirmed> left = take(Long.MAX_VALUE, true);
    for (Unwritten next = unwritten.poll(); next != null; next = unwritten.poll()) {
      left.add(next.message());
    }
    answers.execute(() -> left.forEach(each -> each.sent.completeExceptionally(why)));
  }

  /** By the broker, by a lost connection, or by us. */
  private void closed(ShutdownSignalException why, SizeLimit limit) {
    dead = true;
    OptionalLong known = RabbitErrors.sizeLimit(why);
    known.ifPresent(limit::learn);
    List<Unconfirmed> lost = take(Long.MAX_VALUE, true);
    if (!lost.isEmpty()) {
      answers.execute(
          () -> lost.forEach(each -> each.sent.completeExceptionally(of(each, why, known))));
    }
  }

  private static Throwable of(Unconfirmed each, ShutdownSignalException why, OptionalLong limit) {
    return limit.isPresent() && each.size > limit.getAsLong()
        ? new RabbitErrors.Refused(RabbitErrors.tooLarge(each.size, limit.getAsLong()))
        : why;
  }

  /** What is unconfirmed is answered; a second call does nothing. */
  void abort() {
    dead = true;
    try {
      channel.abort();
    } catch (IOException e) {
      throw new IllegalStateException("abort discards every exception, but not this one", e);
    }
  }
}
