package dev.outbox.testkit.internal.network;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * What flows from one socket to another: read at once, written when it is due. Of a writer that is
 * faster than its reader it holds a bounded part, and leaves the rest in the socket.
 *
 * <p>Used by the loop's thread.
 */
final class OneWay {
  private static final int MOST_HELD = 1024 * 1024;

  private final SocketChannel from;
  private final SocketChannel to;
  private final Deque<Chunk> chunks = new ArrayDeque<>();
  private int held;
  private boolean ended;
  private boolean stuck;
  private boolean finished;

  OneWay(SocketChannel from, SocketChannel to) {
    this.from = from;
    this.to = to;
  }

  /** Reads what there is. False when {@code last} accepts some of it; that is thrown away. */
  boolean read(ByteBuffer buffer, long due, Predicate<ByteBuffer> last) throws IOException {
    while (hasRoom()) {
      buffer.clear();
      int size = from.read(buffer);
      if (size == 0) {
        return true;
      }
      if (size < 0) {
        ended = true;
        chunks.add(Chunk.end(due));
        return true;
      }
      if (last.test(buffer.flip().asReadOnlyBuffer())) {
        return false;
      }
      chunks.add(Chunk.of(buffer, due));
      held += size;
    }
    return true;
  }

  /** Writes what is due, as far as the socket takes it. */
  void write(long now) throws IOException {
    stuck = false;
    while (!stuck && !chunks.isEmpty() && chunks.element().isDue(now)) {
      Chunk chunk = chunks.element();
      if (chunk.isEnd()) {
        to.shutdownOutput();
        finished = true;
      } else {
        held -= to.write(chunk.bytes());
        stuck = chunk.bytes().hasRemaining();
      }
      if (!stuck) {
        chunks.remove();
      }
    }
  }

  boolean hasRoom() {
    return !ended && held < MOST_HELD;
  }

  /** The socket took no more, so that what is due waits for it. */
  boolean isStuck() {
    return stuck;
  }

  /** When the next falls due, or fell, if it waits for its time only. */
  OptionalLong nextDue() {
    return stuck || chunks.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(chunks.element().due());
  }

  /** Its end has been passed on. */
  boolean isFinished() {
    return finished;
  }

  void forget() {
    chunks.clear();
    held = 0;
    stuck = false;
  }
}
