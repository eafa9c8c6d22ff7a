package dev.outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outbox.Outbox;
import dev.outbox.json.JacksonCodec;
import dev.outbox.message.MessageLimits;
import dev.outbox.message.PayloadCodec;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RetryPolicy;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Beans of which the outbox takes one, while there are several. */
@ExtendWith(OutputCaptureExtension.class)
class SeveralBeansTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    Publisher broker() {
      return Publisher.blocking(envelope -> {});
    }

    @Bean
    Runnable shop(Outbox outbox) {
      return outbox::wake;
    }
  }

  @Test
  void two_codecs_are_refused_by_their_names(CapturedOutput output) {
    refuses(output, TwoCodecs.class, "which PayloadCodec the outbox takes: [plain, encrypting]");
  }

  @Test
  void so_are_two_limits(CapturedOutput output) {
    refuses(output, TwoLimits.class, "which MessageLimits the outbox takes: [mails, orders]");
  }

  @Test
  void so_are_two_retry_policies(CapturedOutput output) {
    refuses(output, TwoPolicies.class, "which RetryPolicy the outbox takes: [patient, standard]");
  }

  private static void refuses(CapturedOutput output, Class<?> beans, String text) {
    SpringApplication application = new SpringApplication(Application.class, beans);
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setDefaultProperties(Map.of("spring.datasource.generate-unique-name", "true"));
    assertThatException().isThrownBy(application::run);
    assertThat(output)
        .contains("APPLICATION FAILED TO START", text, "Mark one as @Primary.")
        .doesNotContain("\tat dev.outbox");
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoCodecs {
    @Bean
    PayloadCodec plain() {
      return JacksonCodec.create();
    }

    @Bean
    PayloadCodec encrypting() {
      return JacksonCodec.create();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoLimits {
    @Bean
    MessageLimits mails() {
      return MessageLimits.none();
    }

    @Bean
    MessageLimits orders() {
      return MessageLimits.none();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoPolicies {
    @Bean
    RetryPolicy patient() {
      return RetryPolicy.standard();
    }

    @Bean
    RetryPolicy standard() {
      return RetryPolicy.standard();
    }
  }

  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withUserConfiguration(Application.class)
          .withPropertyValues(
              "spring.datasource.generate-unique-name=true",
              "spring.autoconfigure.exclude="
                  + "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration");

  @Test
  void a_policy_that_only_a_customizer_takes_is_no_second_one() {
    application
        .withUserConfiguration(OfOneTopic.class)
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Configuration(proxyBeanMethods = false)
  static class OfOneTopic {
    @Bean
    RetryPolicy standard() {
      return RetryPolicy.standard();
    }

    @Bean(defaultCandidate = false)
    RetryPolicy ofMails() {
      return RetryPolicy.standard();
    }
  }

  @Test
  void two_mappers_of_which_none_is_primary_are_named_in_the_log(CapturedOutput output) {
    application
        .withUserConfiguration(TwoMappers.class)
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(PayloadCodec.class));
    assertThat(output)
        .containsOnlyOnce("because none of [objectMapper, lenient] is primary: mark one");
  }

  @Test
  void one_mapper_or_a_primary_one_is_taken_without_a_word(CapturedOutput output) {
    application
        .withBean(ObjectMapper.class, ObjectMapper::new)
        .run(context -> assertThat(context).hasSingleBean(PayloadCodec.class));
    application
        .withUserConfiguration(PrimaryMapper.class)
        .run(context -> assertThat(context).hasSingleBean(PayloadCodec.class));
    assertThat(output).doesNotContain("is primary");
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoMappers {
    @Bean
    ObjectMapper objectMapper() {
      return new ObjectMapper();
    }

    @Bean
    ObjectMapper lenient() {
      return new ObjectMapper();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class PrimaryMapper {
    @Bean
    @Primary
    ObjectMapper objectMapper() {
      return new ObjectMapper();
    }

    @Bean
    ObjectMapper lenient() {
      return new ObjectMapper();
    }
  }
}
