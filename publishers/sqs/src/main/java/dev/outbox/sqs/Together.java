package dev.outbox.sqs;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What a thread begins in one go is sent when all of it has begun, so that it shares requests. Else
 * each message would find a free request, and go alone.
 */
final class Together {
  /** The queues to which this thread has begun something; removed when that is sent. */
  private static final ThreadLocal<Set<Batches>> BEGUN = new ThreadLocal<>();

  private Together() {}

  /** Begins sends. */
  interface Beginner<E extends Exception> {
    void begin() throws E;
  }

  /** Inside another call the thread leaves it to that one to send, so that nothing recurses. */
  static <E extends Exception> void begin(Beginner<E> beginner) throws E {
    if (BEGUN.get() != null) {
      beginner.begin();
      return;
    }
    Set<Batches> begun = new LinkedHashSet<>();
    BEGUN.set(begun);
    try {
      beginner.begin();
    } finally {
      sendAll(begun);
    }
  }

  private static void sendAll(Set<Batches> begun) {
    try {
      while (!begun.isEmpty()) { // an answer that comes at once begins more
        Batches next = begun.iterator().next();
        begun.remove(next);
        next.sendNext();
      }
    } finally {
      BEGUN.remove();
    }
  }

  /** True when these are sent once this thread has begun all. */
  static boolean sendsLater(Batches batches) {
    Set<Batches> begun = BEGUN.get();
    if (begun != null) {
      begun.add(batches);
    }
    return begun != null;
  }
}
