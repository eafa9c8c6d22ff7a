package dev.outbox.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.util.ClassUtils;

/** Spring Boot's auto-configurations among ours. */
class OrderTest {
  private static final List<String> ON_3 =
      List.of(
          "org.springframework.boot.autoconfigure.kafka.KafkaAutoConfiguration",
          "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration");
  private static final List<String> ON_4 =
      List.of(
          "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
          "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration");

  /** That of JPA is made only where there is no other yet. */
  @Tag("boot-4")
  @Test
  void the_transaction_manager_of_JPA_is_made_before_that_of_Kafka() {
    ClassLoader classes = getClass().getClassLoader();
    Stream<String> ours =
        StreamSupport.stream(
                ImportCandidates.load(AutoConfiguration.class, classes).spliterator(), false)
            .filter(name -> name.startsWith("dev.outbox."));
    Stream<String> managers =
        Stream.of(ON_3, ON_4)
            .flatMap(List::stream)
            .filter(name -> ClassUtils.isPresent(name, classes));

    AutoConfigurations sorted =
        AutoConfigurations.of(
            Stream.concat(ours, managers)
                .map(name -> ClassUtils.resolveClassName(name, classes))
                .toArray(Class<?>[]::new));

    assertThat(Configurations.getClasses(sorted))
        .extracting(Class::getSimpleName)
        .filteredOn(name -> name.startsWith("Hibernate") || name.equals("KafkaAutoConfiguration"))
        .containsExactly("HibernateJpaAutoConfiguration", "KafkaAutoConfiguration");
  }
}
