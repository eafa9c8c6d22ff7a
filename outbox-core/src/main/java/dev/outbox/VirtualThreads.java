package dev.outbox;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Virtual threads where the JDK has them; this library is compiled for one that has not. */
final class VirtualThreads {
  private VirtualThreads() {}

  static Executor executor() {
    try {
      return (Executor) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException | IllegalAccessException e) {
      throw new UnsupportedOperationException(
          "virtual threads need JDK 21 or newer, this is " + Runtime.version(), e);
    } catch (InvocationTargetException e) {
      throw new UnsupportedOperationException("no virtual threads: " + e.getCause(), e);
    }
  }
}
