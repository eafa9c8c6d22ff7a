package dev.outbox.benchmarks.peers;

import dev.outbox.benchmarks.contender.Sink;
import dev.outbox.benchmarks.measure.Site;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** A Spring Boot application over a site, without a web server. Stateless. */
final class SpringContext {
  private SpringContext() {}

  /** Where listeners and handlers publish to. */
  static final class Outlet {
    private final AtomicReference<Sink> sink = new AtomicReference<>();

    void to(Sink target) {
      sink.set(target);
    }

    void accept(String payload) {
      Objects.requireNonNull(sink.get(), "sink").accept(payload);
    }
  }

  static ConfigurableApplicationContext start(
      Class<?> application, Site site, Outlet outlet, Map<String, Object> properties) {
    return new SpringApplicationBuilder(application)
        .web(WebApplicationType.NONE)
        .properties(
            Map.of(
                "spring.main.banner-mode",
                "off",
                "spring.datasource.url",
                site.url(),
                "spring.datasource.username",
                site.user(),
                "spring.datasource.password",
                site.password(),
                "spring.datasource.hikari.maximum-pool-size",
                "40",
                "spring.main.log-startup-info",
                "false"))
        .properties(properties)
        .initializers(
            context ->
                ((GenericApplicationContext) context).registerBean(Outlet.class, () -> outlet))
        .run();
  }
}
