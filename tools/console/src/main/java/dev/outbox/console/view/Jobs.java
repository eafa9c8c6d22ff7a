package dev.outbox.console.view;

import dev.outbox.DeadLetters;
import dev.outbox.DeadLetters.Filter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The long work that was asked for here: few at a time, and the last ones remembered. A count does
 * not wait for replays, which may take hours at their pace.
 *
 * <p>Safe for use by many threads.
 */
final class Jobs implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Jobs.class);
  private static final int AT_A_TIME = 4;
  private static final int REMEMBERED = 20;
  private static final long PATIENCE_SECONDS = 20;

  private final DeadLetters dead;
  private final ExecutorService counting = threads();
  private final ExecutorService changing = threads();
  private final Map<String, Job> jobs = new LinkedHashMap<>();
  private long number;

  Jobs(DeadLetters dead) {
    this.dead = dead;
  }

  private static ExecutorService threads() {
    return Executors.newFixedThreadPool(
        AT_A_TIME,
        work -> {
          Thread thread = new Thread(work, "outbox-console-job");
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Begins to count. The oldest that nothing works at are forgotten for it. */
  synchronized Job begin(Job.Action action, Filter filter, @Nullable Integer pace) {
    jobs.values().removeIf(job -> jobs.size() >= REMEMBERED && job.isIdle());
    if (jobs.size() >= REMEMBERED) {
      throw new AnswerException(429, "Too many replays and discards are open; stop one.");
    }
    Job job = new Job(Long.toString(++number), action, filter, pace);
    jobs.put(Long.toString(number), job);
    counting.execute(() -> job.count(dead));
    return job;
  }

  /** Those that were confirmed, the newest first. */
  synchronized List<Map<String, Object>> begun() {
    List<Map<String, Object>> begun = new ArrayList<>();
    for (Job job : jobs.values()) {
      if (job.isBegun()) {
        begun.add(0, job.values());
      }
    }
    return begun;
  }

  synchronized Job get(String id) {
    Job job = jobs.get(id);
    if (job == null) {
      throw new AnswerException(404, "There is no such replay or discard any more.");
    }
    return job;
  }

  synchronized void confirm(String id, long messages, String who) {
    Job job = get(id);
    job.confirm(messages, who);
    changing.execute(() -> job.run(dead));
  }

  /** Ends them after the portions that are under way, and waits for these. */
  @Override
  public void close() {
    synchronized (this) {
      jobs.values().forEach(job -> job.stop("the console, which closes"));
      counting.shutdown();
      changing.shutdown();
    }
    try {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      counting.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (!changing.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        log.warn("console: the database has not answered; a portion may still be changed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
