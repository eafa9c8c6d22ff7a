package dev.outbox.testkit.internal.network;

import java.nio.ByteBuffer;

/** Some bytes and when they may arrive, in {@link System#nanoTime}; without any it is the end. */
record Chunk(ByteBuffer bytes, long due) {
  static Chunk of(ByteBuffer read, long due) {
    byte[] bytes = new byte[read.remaining()];
    read.get(bytes);
    return new Chunk(ByteBuffer.wrap(bytes), due);
  }

  static Chunk end(long due) {
    return new Chunk(ByteBuffer.allocate(0), due);
  }

  boolean isEnd() {
    return bytes.capacity() == 0;
  }

  boolean isDue(long now) {
    return due - now <= 0;
  }
}
