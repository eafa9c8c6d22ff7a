package dev.outbox.http;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads for what may block; those of the common pool are the application's. */
final class OwnThreads {
  /** As many as have work, which end when none comes for 10 s. */
  static final Executor DAEMONS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          10,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          work -> {
            Thread thread = new Thread(work, "outbox-http");
            thread.setDaemon(true);
            return thread;
          });

  private OwnThreads() {}
}
