package dev.outbox.spring;

import jakarta.persistence.EntityManagerFactory;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
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
                  each.getKey() instanceof EntityManagerFactory factory
                      && dataSource.equals(dataSource(factory))
                      && each.getValue() instanceof EntityManagerHolder holder
                      && holder.getEntityManager().getTransaction().isActive());
    } catch (NoClassDefFoundError e) { // there is no JPA
      return false;
    }
  }

  /** A session factory of Hibernate has it among its settings. */
  private static @Nullable Object dataSource(EntityManagerFactory factory) {
    return factory instanceof EntityManagerFactoryInfo jpa
        ? jpa.getDataSource()
        : factory.getProperties().get("hibernate.connection.datasource");
  }
}
