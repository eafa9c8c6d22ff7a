package dev.outbox.jackson3;

import static dev.outbox.testkit.assertj.KitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.message.Message;
import dev.outbox.message.Payload;
import dev.outbox.testkit.Kit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

class Jackson3CodecTest {
  private final Jackson3Codec codec = Jackson3Codec.create();

  record Line(String articleNumber, int pieces) {}

  record Order(String id, List<Line> lines) {}

  record Placed(
      Instant at,
      LocalDate day,
      OffsetDateTime there,
      Duration within,
      Optional<String> coupon,
      Optional<String> note) {}

  @Test
  void java_time_and_Optional_need_no_setting() {
    Placed placed =
        new Placed(
            Instant.parse("2026-03-01T10:15:30.123456789Z"),
            LocalDate.of(2026, 3, 1),
            OffsetDateTime.parse("2026-03-01T11:15:30+01:00"),
            Duration.ofMinutes(90),
            Optional.of("SPRING"),
            Optional.empty());

    Payload payload = codec.encode(placed);

    assertThat(payload.contentType()).isEqualTo("application/json");
    assertThat(payload.text())
        .contains(
            "\"at\":\"2026-03-01T10:15:30.123456789Z\"",
            "\"day\":\"2026-03-01\"",
            "\"there\":\"2026-03-01T11:15:30+01:00\"",
            "\"within\":\"PT1H30M\"",
            "\"coupon\":\"SPRING\"",
            "\"note\":null");
    assertThat(codec.decode(payload, Placed.class)).isEqualTo(placed);
  }

  @Test
  void what_is_enqueued_is_written_by_the_mapper_of_the_application() {
    JsonMapper mapper =
        JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
    Kit kit = Kit.builder().codec(Jackson3Codec.of(mapper)).build();

    kit.enqueue(Message.to("lines").payload(new Line("t\u00e9a \ud83d\ude80", 2)));
    kit.deliver();

    assertThat(kit.broker())
        .hasReceived("lines")
        .withText("{\"article_number\":\"t\u00e9a \ud83d\ude80\",\"pieces\":2}");
  }

  @Test
  void an_object_that_holds_itself_is_refused_by_type() {
    Object[] ring = new Object[1];
    ring[0] = ring;

    assertThatIllegalArgumentException()
        .isThrownBy(() -> codec.encode(ring))
        .withMessageStartingWith("payload of type [Ljava.lang.Object; cannot be written as JSON");
  }

  @Test
  void other_bytes_are_refused_without_showing_them() {
    Payload payload =
        new Payload("application/json", "{\"secret\"".getBytes(StandardCharsets.UTF_8));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> codec.decode(payload, Order.class))
        .withMessage(
            "payload (application/json, 9 bytes) cannot be read as " + Order.class.getName());
  }
}
