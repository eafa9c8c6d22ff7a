package dev.outbox.testkit.internal.network;

import static java.net.StandardSocketOptions.SO_REUSEPORT;
import static java.nio.channels.SelectionKey.OP_ACCEPT;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.NetworkChannel;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A port of this machine at which clients knock. While it is shut they are refused, and a second
 * socket keeps the port, so that no other program gets it meanwhile; on systems that do not let two
 * sockets share a port, it is free for that time.
 *
 * <p>Used by the loop's thread once that runs.
 */
final class Door {
  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  /** More than knock at once; the system keeps the others out for a second or more. */
  private static final int KNOCKING = 1000;

  private final SocketChannel keeper;
  private final InetSocketAddress address;
  private @Nullable ServerSocketChannel open;

  private Door(SocketChannel keeper) throws IOException {
    this.keeper = keeper;
    boolean kept = share(keeper);
    InetSocketAddress any = new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0);
    if (kept) {
      keeper.bind(any);
      this.address = (InetSocketAddress) keeper.getLocalAddress();
    } else {
      ServerSocketChannel first = listening(any);
      this.address = (InetSocketAddress) first.getLocalAddress();
      this.open = first;
    }
  }

  /** A door at a free port, open. */
  static Door atFreePort(Selector selector) throws IOException {
    SocketChannel keeper = SocketChannel.open(StandardProtocolFamily.INET);
    try {
      Door door = new Door(keeper);
      door.open(selector);
      return door;
    } catch (IOException e) {
      keeper.close();
      throw e;
    }
  }

  private static boolean share(NetworkChannel channel) throws IOException {
    boolean can = channel.supportedOptions().contains(SO_REUSEPORT);
    if (can) {
      channel.setOption(SO_REUSEPORT, true);
    }
    return can;
  }

  private static ServerSocketChannel listening(InetSocketAddress address) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.INET);
    try {
      share(channel);
      channel.bind(address, KNOCKING);
      channel.configureBlocking(false);
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  InetSocketAddress address() {
    return address;
  }

  void open(Selector selector) throws IOException {
    if (open == null) {
      open = listening(address);
    }
    open.register(selector, OP_ACCEPT, this);
  }

  void shut() throws IOException {
    if (open != null) {
      open.close();
      open = null;
    }
  }

  /** The next client, if one knocks. */
  Optional<SocketChannel> next() throws IOException {
    return open == null ? Optional.empty() : Optional.ofNullable(open.accept());
  }

  void close() throws IOException {
    try {
      shut();
    } finally {
      keeper.close();
    }
  }
}
