package dev.outbox.spring.boot.relay;

import dev.outbox.OutboxException.Finding;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.Usage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the database in place of the relay's start, while the application makes its other beans:
 * a hundred questions, and the classes of the doctor. Its answer holds for the first start, if it
 * forbids none: beans that are yet to come may heal what it found.
 *
 * <p>Safe for use by many threads.
 */
final class EarlyExamination {
  private static final Logger log = LoggerFactory.getLogger(EarlyExamination.class);

  private final OutboxStore store;
  private final Usage usage;
  private final FutureTask<List<Finding>> look;
  private final AtomicBoolean isTaken = new AtomicBoolean();

  private EarlyExamination(OutboxStore store, Usage usage) {
    this.store = store;
    this.usage = usage;
    this.look = new FutureTask<>(() -> store.examine(usage));
  }

  /** Looks in a thread of its own, which keeps no application from its end. */
  static EarlyExamination begin(OutboxStore store, Usage usage) {
    EarlyExamination begun = new EarlyExamination(store, usage);
    Thread thread = new Thread(begun.look, "outbox-early-examination");
    thread.setDaemon(true);
    thread.start();
    return begun;
  }

  /** What is found for {@code asked}, now or already. */
  List<Finding> findings(Usage asked) {
    boolean isFirst = isTaken.compareAndSet(false, true);
    return (isFirst && asked.equals(usage) ? seen() : Optional.<List<Finding>>empty())
        .filter(EarlyExamination::allowsStart)
        .orElseGet(() -> store.examine(asked));
  }

  private Optional<List<Finding>> seen() {
    try {
      return Optional.of(look.get());
    } catch (ExecutionException e) {
      log.debug("an early look at the database failed; the relay's start looks again", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  private static boolean allowsStart(List<Finding> findings) {
    return findings.stream().noneMatch(each -> each.severity() == Finding.Severity.FAILURE);
  }
}
