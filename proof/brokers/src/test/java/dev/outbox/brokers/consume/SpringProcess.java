package dev.outbox.brokers.consume;

import dev.outbox.Inbox;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** An application of Spring that does nothing but listen. */
final class SpringProcess {
  private SpringProcess() {}

  /** Runs until the process ends. */
  static void run(String address, DataSource dataSource, Inbox inbox, Class<?>... classes)
      throws InterruptedException {
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context.registerBean("address", String.class, () -> address);
      context.registerBean(DataSource.class, () -> dataSource);
      context.registerBean(Inbox.class, () -> inbox);
      context.register(Transactions.class);
      context.register(classes);
      context.refresh();
      new CountDownLatch(1).await();
    }
  }

  /** One manager for all. */
  @Configuration
  @EnableTransactionManagement(proxyTargetClass = true)
  public static class Transactions {
    @Bean
    public JdbcTransactionManager transactionManager(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }
  }
}
