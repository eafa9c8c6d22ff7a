package dev.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.junit.jupiter.api.Test;

class ProducerSettingsTest {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private static ProducerSettings of(String name, Object value) {
    return ProducerSettings.of(Map.of(name, value), DEADLINE);
  }

  private static void refused(String name, Object value, String text) {
    assertThatIllegalArgumentException()
        .as("%s=%s", name, value)
        .isThrownBy(() -> of(name, value))
        .withMessage(text);
  }

  @Test
  void what_is_left_out_is_set_for_an_outbox() {
    ProducerSettings settings = ProducerSettings.of(Map.of("client.id", "shop"), DEADLINE);

    assertThat(settings.config())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "client.id", "shop",
                "acks", "all",
                "enable.idempotence", true,
                "linger.ms", 0,
                "max.in.flight.requests.per.connection", 1,
                "delivery.timeout.ms", 15_000,
                "request.timeout.ms", 5_000,
                "max.block.ms", 3_000));
    assertThat(settings.longestSend()).isEqualTo(Duration.ofSeconds(18));
  }

  @Test
  void what_was_given_and_does_no_harm_stays() {
    Map<String, Object> given = new HashMap<>();
    given.put("acks", " ALL ");
    given.put("enable.idempotence", "true");
    given.put("linger.ms", "2");
    given.put("delivery.timeout.ms", "10000");
    given.put("request.timeout.ms", 4000);
    given.put("max.block.ms", 1000L);
    given.put("max.in.flight.requests.per.connection", 5);
    given.put("compression.type", "zstd");
    given.put("interceptor.classes", null);

    ProducerSettings settings = ProducerSettings.of(given, DEADLINE);

    assertThat(settings.config())
        .containsEntry("acks", "all")
        .containsEntry("linger.ms", "2")
        .containsEntry("request.timeout.ms", 4000)
        .containsEntry("compression.type", "zstd")
        .containsEntry("max.in.flight.requests.per.connection", 5)
        .doesNotContainKey("interceptor.classes");
    assertThat(settings.longestSend()).isEqualTo(Duration.ofSeconds(11));
    assertThat(of("acks", "-1").config()).containsEntry("acks", "all");
  }

  @Test
  void what_weakens_durability_is_refused_by_name() {
    refused(
        "acks",
        "1",
        "acks is 1, but delivered must mean that every in-sync replica has it; leave it out, or set all");
    refused(
        "acks",
        0,
        "acks is 0, but delivered must mean that every in-sync replica has it; leave it out, or set all");
    refused(
        "enable.idempotence",
        false,
        "enable.idempotence is false, but without it a retry of the client reorders or repeats; leave it out, or set true");
    refused(
        "transactional.id",
        "shop",
        "transactional.id is shop, but this publisher begins no transactions, and every send would fail; leave it out");
  }

  @Test
  void what_breaks_the_order_of_a_key_is_refused_by_name() {
    refused(
        "partitioner.ignore.keys",
        "true",
        "partitioner.ignore.keys is true, but messages of one key would lose their order; leave it out, or set false");
    refused(
        "partitioner.class",
        RoundRobinPartitioner.class,
        "partitioner.class is org.apache.kafka.clients.producer.RoundRobinPartitioner, but messages of one key would lose their order; leave it out");
  }

  @Test
  void what_outlasts_a_flight_is_refused_by_name() {
    refused(
        "delivery.timeout.ms",
        120_000,
        "delivery.timeout.ms is 120000, but it must be below 30000 ms, so that what was reported as failed does not arrive later;"
            + " lower it, or raise publishDeadline here and in the relay");
    refused(
        "max.block.ms",
        60_000,
        "max.block.ms is 60000, but it must be below 15000 ms, so that what was reported as failed does not arrive later;"
            + " lower it, or raise publishDeadline here and in the relay");
    refused(
        "request.timeout.ms",
        "30000",
        "delivery.timeout.ms is 15000, but the minimum is linger.ms 0 + request.timeout.ms 30000; raise it, or lower those");
    refused("linger.ms", "soon", "linger.ms is 'soon', it must be a number of milliseconds");
    assertThat(ProducerSettings.of(Map.of("delivery.timeout.ms", 120_000), Duration.ofMinutes(5)))
        .isNotNull();
  }
}
