package dev.outbox.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.util.ClassUtils;

/** The auto-configurations of others in the presence of ours. */
@Tag("boot-4")
class OrderTest {
  private static final Predicate<String> OURS = name -> name.startsWith("dev.outbox.");

  /** Many beans, such as transaction managers, are made only if there is none yet: order counts. */
  @Test
  void those_of_others_have_the_order_that_they_have_without_ours() {
    assertThat(sorted(name -> true))
        .filteredOn(OURS.negate())
        .hasSizeGreaterThan(50)
        .containsExactlyElementsOf(sorted(OURS.negate()));
  }

  @Test
  void the_transaction_manager_of_JPA_is_made_before_that_of_Kafka() {
    assertThat(sorted(name -> true))
        .filteredOn(name -> name.matches(".*\\.(HibernateJpa|Kafka)AutoConfiguration"))
        .satisfiesExactly(
            first -> assertThat(first).contains("HibernateJpa"),
            second -> assertThat(second).contains("Kafka"));
  }

  private static List<String> sorted(Predicate<String> which) {
    ClassLoader classes = OrderTest.class.getClassLoader();
    AutoConfigurations sorted =
        AutoConfigurations.of(
            StreamSupport.stream(
                    ImportCandidates.load(AutoConfiguration.class, classes).spliterator(), false)
                .filter(which)
                .map(name -> ClassUtils.resolveClassName(name, classes))
                .toArray(Class<?>[]::new));
    return Stream.of(Configurations.getClasses(sorted))
        .map(Class::getName)
        .filter(name -> !name.contains("$"))
        .toList();
  }
}
