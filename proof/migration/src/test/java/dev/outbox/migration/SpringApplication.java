package dev.outbox.migration;

import dev.outbox.servers.Sandbox;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** An application of Spring Boot on a sandbox. Stateless. */
final class SpringApplication {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private SpringApplication() {}

  static ConfigurableApplicationContext start(
      Class<?> application, Sandbox sandbox, Map<String, Object> more) {
    Map<String, Object> properties = new HashMap<>(more);
    properties.put("spring.main.banner-mode", "off");
    properties.put("spring.main.log-startup-info", "false");
    properties.put("logging.level.root", "warn");
    // a broker that is down on purpose
    properties.put("logging.level.org.springframework.modulith", "off");
    properties.put("spring.datasource.url", sandbox.url());
    properties.put("spring.datasource.username", sandbox.user());
    properties.put("spring.datasource.password", sandbox.password());
    return new SpringApplicationBuilder(application)
        .web(WebApplicationType.NONE)
        .properties(properties)
        .run();
  }

  /** Waits until a query counts {@code wanted}. */
  static void await(ConfigurableApplicationContext context, String count, int wanted)
      throws InterruptedException {
    JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Integer found = jdbc.queryForObject(count, Integer.class);
    while (found == null || found != wanted) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("%s is %s instead of %d".formatted(count, found, wanted));
      }
      Thread.sleep(50);
      found = jdbc.queryForObject(count, Integer.class);
    }
  }
}
