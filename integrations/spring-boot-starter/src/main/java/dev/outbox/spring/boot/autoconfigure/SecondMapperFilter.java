package dev.outbox.spring.boot.autoconfigure;

import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Keeps Spring Boot 4 from making a mapper of Jackson 2 for its endpoints, which it does wherever
 * that library is on the class path: a tenth of a second of each start. It is there by our
 * dependency, while endpoints are written by Jackson 3. What uses Jackson 2 gets the mapper as
 * before: {@code spring-boot-jackson2}, Jersey, and who sets the property.
 */
final class SecondMapperFilter
    implements AutoConfigurationImportFilter, BeanClassLoaderAware, EnvironmentAware {
  private static final String SECOND_MAPPER =
      "org.springframework.boot.actuate.autoconfigure.endpoint.jackson.Jackson2EndpointAutoConfiguration";
  private static final String FIRST_MAPPER =
      "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration";
  private static final String PROPERTY = "management.endpoints.jackson2.isolated-object-mapper";

  private @Nullable ClassLoader classLoader;
  private @Nullable Environment environment;

  @Override
  public boolean[] match(
      @Nullable String[] autoConfigurations, AutoConfigurationMetadata autoConfigurationMetadata) {
    boolean[] wanted = new boolean[autoConfigurations.length];
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] = !SECOND_MAPPER.equals(autoConfigurations[i]) || isUsed();
    }
    return wanted;
  }

  private boolean isUsed() {
    return Objects.requireNonNull(environment).containsProperty(PROPERTY)
        || !isPresent(FIRST_MAPPER)
        || Stream.of(
                "org.springframework.boot.jackson2.autoconfigure.Jackson2AutoConfiguration",
                "org.glassfish.jersey.server.ResourceConfig")
            .anyMatch(this::isPresent);
  }

  private boolean isPresent(String name) {
    return ClassUtils.isPresent(name, classLoader);
  }

  @Override
  public void setBeanClassLoader(ClassLoader classLoader) {
    this.classLoader = classLoader;
  }

  @Override
  public void setEnvironment(Environment environment) {
    this.environment = environment;
  }
}
