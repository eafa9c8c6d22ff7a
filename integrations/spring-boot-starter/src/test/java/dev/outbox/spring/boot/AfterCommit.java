package dev.outbox.spring.boot;

import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Work after the commit of the present transaction, as a TransactionalEventListener does it, before
 * all others that do so.
 */
record AfterCommit(Runnable work) implements TransactionSynchronization, PriorityOrdered {
  static void run(Runnable work) {
    TransactionSynchronizationManager.registerSynchronization(new AfterCommit(work));
  }

  @Override
  public void afterCommit() {
    work.run();
  }
}
