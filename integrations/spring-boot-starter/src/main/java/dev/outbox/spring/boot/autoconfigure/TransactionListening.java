package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.spring.SpringTransactions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.SimpleTransactionStatus;

/**
 * Gives each transaction manager, when it is made, a listener for all {@link SpringTransactions}.
 *
 * <p>Spring Boot gives listeners only to the managers that it makes itself, and none that is no
 * default candidate. Nothing is made because of this: a manager may be lazy, of a scope, or of a
 * database that is down, and so may transactions. It comes before those that make proxies.
 */
final class TransactionListening
    implements BeanPostProcessor, PriorityOrdered, BeanFactoryAware, SmartInitializingSingleton {
  private SharedListener listener = new SharedListener();
  private @Nullable ConfigurableListableBeanFactory beans;

  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }

  @Override
  public void setBeanFactory(BeanFactory factory) {
    beans = (ConfigurableListableBeanFactory) factory;
    listenAbove(beans);
    listenToMade(beans);
  }

  /** In a context above that has an outbox too, one listens for those below. */
  private void listenAbove(ConfigurableListableBeanFactory below) {
    if (below.getParentBeanFactory() instanceof ConfigurableListableBeanFactory above) {
      Iterator<TransactionListening> there =
          above.getBeansOfType(TransactionListening.class, false, false).values().iterator();
      if (there.hasNext()) {
        listener = there.next().listener;
      } else {
        listenAbove(above);
        above.addBeanPostProcessor(this);
        listenToMade(above);
      }
    }
  }

  /**
   * A singleton that is registered as an object passes no post-processor, so it is looked at here.
   */
  @Override
  public void afterSingletonsInstantiated() {
    if (beans != null) {
      listenToMade(beans);
    }
  }

  private void listenToMade(ConfigurableListableBeanFactory factory) {
    for (String name : factory.getSingletonNames()) {
      if (factory.containsSingleton(name)) {
        listenTo(factory.getSingleton(name));
      }
    }
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    listenTo(bean);
    return bean;
  }

  private void listenTo(@Nullable Object bean) {
    if (bean instanceof SpringTransactions transactions) {
      listener.listenFor(transactions);
    } else if (bean instanceof ConfigurableTransactionManager manager && !makesAnother(bean)) {
      listenTo(manager);
    }
  }

  /** True for the proxy of a scope: a call of it would make its target. */
  private static boolean makesAnother(Object bean) {
    return bean instanceof Advised proxy && !proxy.getTargetSource().isStatic();
  }

  /** Sets a new list: that of the application may be immutable, or a transaction may read it. */
  private void listenTo(ConfigurableTransactionManager manager) {
    Collection<TransactionExecutionListener> present = manager.getTransactionExecutionListeners();
    if (!present.contains(listener)) {
      List<TransactionExecutionListener> all = new ArrayList<>(present);
      all.add(listener);
      manager.setTransactionExecutionListeners(all);
    }
  }

  /** One listens for all, also for those that are made in a transaction that has begun. */
  private static final class SharedListener implements TransactionExecutionListener {
    private final SpringTransactions any = SpringTransactions.of(new DelegatingDataSource());
    private final Set<SpringTransactions> untold = Collections.newSetFromMap(new WeakHashMap<>());
    private volatile boolean hasBegun;

    synchronized void listenFor(SpringTransactions transactions) {
      untold.add(transactions);
      if (hasBegun) {
        tell();
      }
    }

    /** That a listener hears what begins; a transaction that has no JDBC says only that. */
    private void tell() {
      untold.forEach(each -> each.afterBegin(new SimpleTransactionStatus(), null));
      untold.clear();
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
      any.afterBegin(transaction, failure);
      if (failure == null && !hasBegun) {
        begin();
      }
    }

    private synchronized void begin() {
      tell();
      hasBegun = true;
    }

    @Override
    public void beforeCommit(TransactionExecution transaction) {
      any.beforeCommit(transaction);
    }

    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
      any.afterCommit(transaction, failure);
    }

    @Override
    public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
      any.afterRollback(transaction, failure);
    }
  }
}
