package dev.outbox.rabbitmq;

import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import dev.outbox.message.Envelope;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the broker with a channel for each exchange, both renewed when they are next
 * needed after they were lost.
 *
 * <p>A channel for each exchange, because a message to an exchange that is not there makes the
 * broker close the channel: those to other exchanges have nothing to do with it. A topic that the
 * user may not write closes it too, and has its own from then on.
 *
 * <p>Safe for use by many threads.
 */
final class RabbitLink implements AutoCloseable {
  /** Of more exchanges than this, those give up their channels that have nothing on the way. */
  private static final int CHANNELS = 64;

  private static final Duration CLOSE = Duration.ofSeconds(5); // in good order it takes less
  private static final Duration STUCK = Duration.ofSeconds(1);
  private static final long LEAST_REST = TimeUnit.MILLISECONDS.toNanos(100);

  private final @Nullable Source source;
  private final Executor answers;
  private final SizeLimit limit;
  private final long patience;

  /** By the names of exchanges, and by the destinations that have their own. */
  private final Map<Object, ConfirmChannel> channels = new ConcurrentHashMap<>();

  /** Whose messages close their channel, until one is taken. */
  private final Set<Destination> refused = ConcurrentHashMap.newKeySet();

  private final BlockedListener blocking = new Blocking();
  private final ShutdownListener ending = why -> ended();
  private volatile RabbitErrors.@Nullable NotNow blocked;
  private @Nullable Connection connection;
  private volatile SocketCut socket = new SocketCut();
  private volatile @Nullable Outage outage;
  private volatile boolean closed;

  /** Opens connections. */
  interface Source {
    OwnConnection open() throws IOException, TimeoutException;
  }

  /** No thread tries again until then. */
  private record Outage(Exception why, long until) {}

  /** What the broker says of its memory and its disk. */
  private final class Blocking implements BlockedListener {
    @Override
    public void handleBlocked(String reason) {
      RabbitErrors.NotNow why = new RabbitErrors.NotNow("RabbitMQ blocks publishers: " + reason);
      blocked = why;
      channels.values().forEach(channel -> channel.giveUp(why));
      CompletableFuture<Void> unused = SocketCut.later(STUCK, () -> cutIfStuck(why));
    }

    @Override
    public void handleUnblocked() {
      unblocked();
    }
  }

  private RabbitLink(
      @Nullable Source source,
      @Nullable Connection given,
      Executor answers,
      SizeLimit limit,
      Duration patience) {
    this.source = source;
    this.answers = answers;
    this.limit = limit;
    this.patience = patience.toNanos();
    if (given != null) {
      watch(given);
    }
  }

  /** With its own connections. {@code patience} is how long the broker may keep an answer back. */
  static RabbitLink own(Source source, Executor answers, SizeLimit limit, Duration patience) {
    return new RabbitLink(source, null, answers, limit, patience);
  }

  /** On a connection of the application, which renews and closes it. */
  static RabbitLink on(Connection given, Executor answers, SizeLimit limit, Duration patience) {
    return new RabbitLink(null, given, answers, limit, patience);
  }

  private void ended() {
    unblocked();
    limit.forget();
  }

  private void unblocked() {
    blocked = null;
  }

  /**
   * A write that is stuck keeps its thread for as long as the node blocks, and with it all that the
   * thread would begin or answer. Of a connection that was given there is no socket to cut.
   */
  private void cutIfStuck(RabbitErrors.NotNow why) {
    if (blocked == why && isAnyWriting()) {
      outage = new Outage(why, System.nanoTime() + STUCK.toNanos());
      socket.cut();
    }
  }

  private void cutIfWriting() {
    if (isAnyWriting()) {
      socket.cut();
    }
  }

  private boolean isAnyWriting() {
    return channels.values().stream().anyMatch(ConfirmChannel::isWriting);
  }

  private void watch(Connection open) {
    connection = open;
    blocked = null;
    open.addBlockedListener(blocking);
    open.addShutdownListener(ending);
  }

  CompletionStage<?> publish(Envelope envelope, Destination destination) throws Exception {
    requireOpen(); // without the lock, which the close may hold for long
    RabbitErrors.NotNow why = blocked;
    if (why != null) {
      throw why;
    }
    ConfirmChannel channel;
    CompletionStage<?> sent;
    do {
      channel = channel(refused.contains(destination) ? destination : destination.exchange());
      sent = channel.publish(envelope, destination);
    } while (sent == null); // another thread has just given it up
    RabbitErrors.NotNow since = blocked;
    if (since != null) {
      channel.giveUp(since); // the broker may have said so in between
    }
    return refused.contains(destination) ? sent.thenRun(() -> refused.remove(destination)) : sent;
  }

  private ConfirmChannel channel(Object of) throws Exception {
    ConfirmChannel channel = channels.get(of);
    return channel != null && isGood(channel) ? channel : renewed(of);
  }

  /** There are at most as many as there are channels, whatever the routing keys. */
  private void learn(ShutdownSignalException why) {
    Destination closing = RabbitErrors.refusedTopic(why);
    if (closing != null && refused.size() < CHANNELS) {
      refused.add(closing);
    }
  }

  private boolean isGood(ConfirmChannel channel) {
    return channel.isOpen() && !channel.isSilentFor(patience);
  }

  private void requireOpen() {
    if (closed) {
      throw new RabbitErrors.NotNow("this publisher is closed");
    }
  }

  private synchronized ConfirmChannel renewed(Object of) throws Exception {
    requireOpen();
    ConfirmChannel old = channels.get(of);
    if (old != null && isGood(old)) {
      return old;
    }
    if (outage != null && outage.until() - System.nanoTime() > 0) {
      throw outage.why();
    }
    long begun = System.nanoTime();
    boolean silent = channels.values().stream().anyMatch(each -> each.isSilentFor(patience));
    // it may wait for a write that is stuck, which no time-out ends
    CompletableFuture<Void> stuck =
        SocketCut.later(Duration.ofNanos(patience / 4), this::cutIfWriting);
    try {
      if (old != null) {
        old.abort();
        channels.remove(of);
      }
      Channel channel = newChannel();
      channel.addShutdownListener(this::learn);
      ConfirmChannel fresh = ConfirmChannel.open(channel, answers, limit);
      channels.put(of, fresh);
      return fresh;
    } catch (Exception e) {
      if (silent && !(e instanceof RabbitErrors.NotNow)) {
        socket.cut(); // because of one queue the broker may no longer read it; heartbeats go on
      }
      long end = System.nanoTime();
      outage = new Outage(e, end + Math.max(end - begun, LEAST_REST));
      throw e;
    } finally {
      stuck.cancel(false);
    }
  }

  private Channel newChannel() throws IOException, TimeoutException {
    Connection open = connection();
    if (channels.size() >= CHANNELS) {
      closeIdle();
    }
    Channel channel = open.createChannel();
    if (channel == null && hasLost(open)) {
      socket.cut(); // only this frees channels whose opening has timed out
    } else if (channel == null) {
      closeIdle();
      channel = open.createChannel();
    }
    if (channel == null) {
      throw new RabbitErrors.NotNow(
          "the connection has no channel left: channel_max is %d and %d are in use; raise it"
              .formatted(open.getChannelMax(), channels.size()));
    }
    return channel;
  }

  /** True when a connection that has no channel left has more than are used. */
  private boolean hasLost(Connection open) {
    long used = channels.values().stream().filter(ConfirmChannel::hasNumber).count();
    return source != null && used < open.getChannelMax();
  }

  private Connection connection() throws IOException, TimeoutException {
    Connection there = connection;
    if (source == null || (there != null && there.isOpen())) {
      return Objects.requireNonNull(there, "a connection that was given, until the close");
    }
    channels.clear(); // the end of the connection was theirs
    refused.clear();
    OwnConnection fresh = source.open();
    socket = fresh.socket();
    watch(fresh.connection());
    return fresh.connection();
  }

  private void closeIdle() {
    channels.values().removeIf(ConfirmChannel::abortIfIdle);
  }

  /**
   * Closes what it has opened; what is unconfirmed is answered. A second call does nothing. A write
   * that is stuck holds whatever ends a channel: on its own connection until the socket is cut, on
   * one that was given for as long as that lives, and so the close goes on without this thread.
   */
  @Override
  public void close() {
    closed = true;
    CompletableFuture<Void> unused = SocketCut.later(CLOSE, socket::cut);
    Thread thread = SocketCut.daemon("outbox-rabbitmq-close", this::end);
    try {
      thread.join(2 * CLOSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void end() {
    channels.values().forEach(ConfirmChannel::abort);
    channels.clear();
    if (connection == null) {
      return;
    }
    connection.removeBlockedListener(blocking);
    connection.removeShutdownListener(ending);
    if (source != null) {
      connection.abort((int) CLOSE.toMillis());
    }
    connection = null;
  }
}
