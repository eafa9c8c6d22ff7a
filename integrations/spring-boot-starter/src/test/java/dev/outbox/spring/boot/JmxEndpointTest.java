package dev.outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Topics;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.InMemoryStore;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The endpoint over JMX, which knows no user. */
class JmxEndpointTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    InMemoryStore store() {
      return InMemoryStore.create();
    }
  }

  @Tag("boot-4")
  @Test
  void a_topic_is_changed_by_its_name_and_the_change() {
    new ApplicationContextRunner()
        .withUserConfiguration(Application.class)
        .withPropertyValues(
            "spring.jmx.enabled=true",
            "spring.jmx.default-domain=outbox-jmx",
            "management.endpoints.jmx.exposure.include=outbox",
            "management.endpoint.outbox.access=UNRESTRICTED",
            "outbox.relay.enabled=false",
            "outbox.broker=none")
        .run(
            context -> {
              MBeanServer server = ManagementFactory.getPlatformMBeanServer();
              ObjectName name =
                  server
                      .queryNames(new ObjectName("outbox-jmx:type=Endpoint,name=Outbox,*"), null)
                      .iterator()
                      .next();
              MBeanOperationInfo change =
                  Arrays.stream(server.getMBeanInfo(name).getOperations())
                      .filter(each -> each.getName().equals("change"))
                      .findFirst()
                      .orElseThrow();
              assertThat(change.getSignature())
                  .extracting(MBeanParameterInfo::getName)
                  .containsExactly("topic", "change");

              server.invoke(
                  name,
                  "change",
                  new Object[] {"orders", "PAUSE"},
                  Arrays.stream(change.getSignature())
                      .map(MBeanParameterInfo::getType)
                      .toArray(String[]::new));
              assertThat(Topics.create(context.getBean(OutboxStore.class)).settings())
                  .containsKey("orders");
            });
  }
}
