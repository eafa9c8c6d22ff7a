package dev.outbox.spring.boot.diagnostics;

import dev.outbox.spi.OutboxStore;
import dev.outbox.spring.boot.autoconfigure.ConditionalOnOutbox;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Conditional;

/** Logs that nothing shows an outbox, because there are several stores and none is primary. */
@AutoConfiguration(afterName = "dev.outbox.spring.boot.autoconfigure.OutboxAutoConfiguration")
@ConditionalOnOutbox
@Conditional(SeveralStoresAutoConfiguration.NoSingleStore.class)
public class SeveralStoresAutoConfiguration implements SmartInitializingSingleton {
  private static final Logger log = LoggerFactory.getLogger(SeveralStoresAutoConfiguration.class);

  private final ListableBeanFactory beans;

  SeveralStoresAutoConfiguration(ListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public void afterSingletonsInstantiated() {
    log.info(
        "no endpoint, metrics and console show an outbox here, because no store of {} is primary: mark one as @Primary",
        List.of(beans.getBeanNamesForType(OutboxStore.class, true, false)));
  }

  /** None is the only one or the primary one. */
  static final class NoSingleStore extends NoneNestedConditions {
    NoSingleStore() {
      super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnSingleCandidate(OutboxStore.class)
    static class Single {}
  }
}
