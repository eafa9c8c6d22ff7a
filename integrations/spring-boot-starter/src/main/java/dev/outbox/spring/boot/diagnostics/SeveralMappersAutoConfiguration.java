package dev.outbox.spring.boot.diagnostics;

import dev.outbox.message.PayloadCodec;
import dev.outbox.spring.boot.autoconfigure.ConditionalOnOutbox;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;

/**
 * Logs that payload objects are not written by a mapper of the application, because there are
 * several and none is primary. An application that enqueues only text and bytes starts all the
 * same.
 */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(afterName = "dev.outbox.spring.boot.autoconfigure.OutboxAutoConfiguration")
@ConditionalOnOutbox
@ConditionalOnMissingBean(PayloadCodec.class)
public class SeveralMappersAutoConfiguration implements SmartInitializingSingleton {
  private static final Logger log = LoggerFactory.getLogger(SeveralMappersAutoConfiguration.class);
  private static final List<String> MAPPERS =
      List.of(
          "tools.jackson.databind.json.JsonMapper", "com.fasterxml.jackson.databind.ObjectMapper");

  private final ListableBeanFactory beans;

  SeveralMappersAutoConfiguration(ListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public void afterSingletonsInstantiated() {
    ClassLoader classes = getClass().getClassLoader();
    MAPPERS.stream()
        .filter(type -> ClassUtils.isPresent(type, classes))
        .map(type -> ClassUtils.resolveClassName(type, classes))
        .map(type -> MissingOutboxAnalyzer.defaultCandidates(beans, type))
        .filter(mappers -> mappers.size() > 1)
        .forEach(
            mappers ->
                log.warn(
                    "unless a customizer gives the outbox a codec, payload objects are written by its default mapper, because none of {} is primary: mark one as @Primary, or declare a PayloadCodec bean",
                    mappers));
  }
}
