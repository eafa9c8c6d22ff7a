package dev.outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.console.OutboxConsole;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

/** A console that is asked for where it cannot be. */
@Tag("boot-4")
@ExtendWith(OutputCaptureExtension.class)
class MissingConsoleTest {
  private static final String SAID = "no console runs here";

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {}

  @Test
  void without_a_web_server_for_servlets_it_is_said_that_none_runs(CapturedOutput output) {
    start(new ApplicationContextRunner(), "outbox.console.enabled=true");
    assertThat(output).containsOnlyOnce(SAID).contains("Spring MVC");
  }

  @Test
  void so_it_is_where_beans_are_lazy(CapturedOutput output) {
    start(
        new ApplicationContextRunner()
            .withInitializer(
                context ->
                    context.addBeanFactoryPostProcessor(
                        new LazyInitializationBeanFactoryPostProcessor())),
        "outbox.console.enabled=true");
    assertThat(output).contains(SAID);
  }

  @Test
  void so_it_is_with_WebFlux_beside_which_there_are_no_servlets(CapturedOutput output) {
    start(
        new ReactiveWebApplicationContextRunner()
            .withClassLoader(
                new FilteredClassLoader("jakarta.servlet", "org.springframework.web.servlet")),
        "outbox.console.enabled=true");
    assertThat(output).containsOnlyOnce(SAID).contains("WebFlux");
  }

  @Test
  void so_it_is_without_its_library(CapturedOutput output) {
    start(
        new WebApplicationContextRunner()
            .withClassLoader(new FilteredClassLoader(OutboxConsole.class)),
        "outbox.console.enabled=true");
    assertThat(output).contains(SAID, "add outbox-console");
  }

  @Test
  void nothing_is_said_where_it_runs_or_is_not_asked_for(CapturedOutput output) {
    start(new WebApplicationContextRunner(), "outbox.console.enabled=true");
    start(new ApplicationContextRunner(), "outbox.console.enabled=false");
    start(new ApplicationContextRunner());
    assertThat(output).doesNotContain(SAID);
  }

  private static void start(
      AbstractApplicationContextRunner<?, ?, ?> application, String... properties) {
    application
        .withUserConfiguration(Application.class)
        .withPropertyValues(
            "spring.datasource.generate-unique-name=true",
            "outbox.relay.enabled=false",
            "outbox.broker=none")
        .withPropertyValues(properties)
        .run(context -> assertThat(context.getStartupFailure()).isNull());
  }
}
