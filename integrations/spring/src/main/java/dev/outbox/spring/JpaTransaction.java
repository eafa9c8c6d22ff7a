package dev.outbox.spring;

import javax.sql.DataSource;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Asks JPA whether its transaction is still active; without JPA on the class path, none is. */
final class JpaTransaction {
  private JpaTransaction() {}

  /** Whether this thread has one on {@code dataSource} that is not committed yet. */
  static boolean isActive(DataSource dataSource) {
    try {
      return TransactionSynchronizationManager.getResourceMap().entrySet().stream()
          .anyMatch(
              each ->
                  each.getKey() instanceof EntityManagerFactoryInfo factory
                      && dataSource.equals(factory.getDataSource())
                      && each.getValue() instanceof EntityManagerHolder holder
                      && holder.getEntityManager().getTransaction().isActive());
    } catch (NoClassDefFoundError e) { // there is no JPA
      return false;
    }
  }
}
