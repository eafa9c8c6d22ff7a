package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.jdbc.JdbcStore;
import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;

/** A store reads its tables when it is made, so Flyway and the others make them before. */
final class StoresAfterMigrations
    extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {
  @Override
  protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
    return Set.of(JdbcStore.class);
  }
}
