package dev.outbox.benchmarks.measure;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * The bytes that threads of this JVM have allocated so far.
 *
 * <p>Stateless.
 */
public final class Allocated {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocated() {}

  static long byThisThread() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  /** By all threads that live; writers of a {@link Crew} count for themselves, as they end. */
  public static long byLivingThreads() {
    long[] bytes = THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds());
    return Arrays.stream(bytes).filter(each -> each > 0).sum();
  }
}
