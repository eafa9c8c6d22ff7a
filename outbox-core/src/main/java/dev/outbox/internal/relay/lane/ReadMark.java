package dev.outbox.internal.relay.lane;

import org.jspecify.annotations.Nullable;

/**
 * An id below which reads need not begin. It rises to what a read has reached once the end of that
 * read's batch is written.
 *
 * <p>Used by one thread.
 */
final class ReadMark {
  private long id;
  private long reached;

  ReadMark(long id) {
    this.id = id;
  }

  long get() {
    return id;
  }

  /** A read has come up to {@code id}; 0 when it says nothing of this mark. */
  void reached(long id) {
    reached = id;
  }

  /** There is surely nothing up to {@code id}. */
  void raise(long id) {
    this.id = Math.max(this.id, id);
  }

  /** There may be something above {@code id}. */
  void lower(long id) {
    this.id = Math.min(this.id, id);
    reached = Math.min(reached, id);
  }

  /** The end of the last read was written, but for those from {@code firstLeft} on, if any. */
  void settled(@Nullable Long firstLeft) {
    raise(reached);
    if (firstLeft != null) {
      id = Math.min(id, firstLeft - 1);
    }
    reached = 0;
  }

  void forget() {
    id = 0;
    reached = 0;
  }
}
