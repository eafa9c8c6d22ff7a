package dev.outbox.testkit.internal.network;

import static java.net.StandardSocketOptions.SO_LINGER;
import static java.net.StandardSocketOptions.TCP_NODELAY;
import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A client's connection and the one to the server behind it. Used by the loop's thread. */
final class Link {
  private final SocketChannel client;
  private final SocketChannel server;
  private final SelectionKey clientKey;
  private final SelectionKey serverKey;
  private final OneWay there;
  private final OneWay back;

  private Link(SocketChannel client, SocketChannel server, Selector selector) throws IOException {
    this.client = client;
    this.server = server;
    for (SocketChannel each : List.of(client, server)) {
      each.configureBlocking(false);
      each.setOption(TCP_NODELAY, true);
    }
    this.clientKey = client.register(selector, 0, this);
    this.serverKey = server.register(selector, 0, this);
    this.there = new OneWay(client, server);
    this.back = new OneWay(server, client);
  }

  /** A link whose server is not called. */
  static Link of(SocketChannel client, Selector selector) throws IOException {
    return new Link(client, SocketChannel.open(), selector);
  }

  /** Calls the server; the answer comes as an event. */
  void connect(SocketAddress address) throws IOException {
    boolean at = elsewhere(server.connect(address));
    clientKey.interestOps(at ? OP_READ : 0);
    serverKey.interestOps(at ? OP_READ : OP_CONNECT);
  }

  /**
   * Passes on what there is and what is due. False when the client said something that {@code last}
   * accepts.
   */
  boolean pump(ByteBuffer buffer, long now, long delay, Predicate<ByteBuffer> last)
      throws IOException {
    if (server.isConnectionPending() && !elsewhere(server.finishConnect())) {
      return true;
    }
    if (!there.read(buffer, now, last)) {
      return false;
    }
    back.read(buffer, now + delay, any -> false);
    there.write(now);
    back.write(now);
    if (there.isFinished() && back.isFinished()) {
      close();
    } else {
      clientKey.interestOps(interest(there, back));
      serverKey.interestOps(interest(back, there));
    }
    return true;
  }

  /** A port of this machine that is free may be given to who calls it, which then gets itself. */
  private boolean elsewhere(boolean connected) throws IOException {
    if (connected && server.getLocalAddress().equals(server.getRemoteAddress())) {
      throw new ConnectException("the server's port is free, and was called from itself");
    }
    return connected;
  }

  private static int interest(OneWay reading, OneWay writing) {
    return (reading.hasRoom() ? OP_READ : 0) | (writing.isStuck() ? OP_WRITE : 0);
  }

  boolean isDue(long now) {
    OptionalLong next = nextDue();
    return next.isPresent() && next.getAsLong() - now <= 0;
  }

  /** When the next of what waits for its time falls due, or fell. */
  OptionalLong nextDue() {
    return Stream.of(there, back)
        .map(OneWay::nextDue)
        .flatMapToLong(OptionalLong::stream)
        .reduce((left, right) -> left - right < 0 ? left : right);
  }

  boolean isOpen() {
    return client.isOpen();
  }

  /** Both sockets stay open, and nothing passes any more. */
  void silence() {
    clientKey.cancel();
    serverKey.cancel();
    there.forget();
    back.forget();
  }

  boolean isSilent() {
    return !clientKey.isValid();
  }

  /** Ends it for both sides as a network error does. */
  void reset() throws IOException {
    for (SocketChannel each : List.of(client, server)) {
      if (each.isOpen()) {
        each.setOption(SO_LINGER, 0);
      }
    }
    close();
  }

  private void close() throws IOException {
    try {
      client.close();
    } finally {
      server.close();
    }
  }
}
