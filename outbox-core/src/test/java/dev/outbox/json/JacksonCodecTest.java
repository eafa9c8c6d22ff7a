package dev.outbox.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outbox.message.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JacksonCodecTest {
  private final JacksonCodec codec = JacksonCodec.create();

  record Line(String article, int pieces) {}

  record Order(String id, List<Line> lines) {}

  record Stamped(Instant at) {}

  @Test
  void records_survive_a_round_trip() {
    Order order = new Order("o-1", List.of(new Line("t\u00e9a \ud83d\ude80", 2)));

    Payload payload = codec.encode(order);

    assertThat(payload.contentType()).isEqualTo("application/json");
    assertThat(codec.decode(payload, Order.class)).isEqualTo(order);
  }

  record Placed(
      Instant at,
      LocalDate day,
      Duration within,
      OffsetDateTime there,
      Optional<String> coupon,
      Optional<String> note) {}

  @Test
  void java_time_and_Optional_need_no_setting() {
    Placed placed =
        new Placed(
            Instant.parse("2026-03-01T10:15:30.123456789Z"),
            LocalDate.of(2026, 3, 1),
            Duration.ofMinutes(90),
            OffsetDateTime.parse("2026-03-01T11:15:30+01:00"),
            Optional.of("SPRING"),
            Optional.empty());

    Payload payload = codec.encode(placed);

    assertThat(payload.text())
        .isEqualTo(
            "{\"at\":\"2026-03-01T10:15:30.123456789Z\",\"day\":\"2026-03-01\",\"within\":\"PT1H30M\","
                + "\"there\":\"2026-03-01T11:15:30+01:00\",\"coupon\":\"SPRING\",\"note\":null}");
    assertThat(codec.decode(payload, Placed.class)).isEqualTo(placed);
  }

  @Test
  void an_Instant_without_its_module_is_refused_by_type_and_remedy() {
    JacksonCodec plain = JacksonCodec.of(new JsonMapper());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> plain.encode(new Stamped(Instant.EPOCH)))
        .withMessageContaining(Stamped.class.getName())
        .withMessageContaining("jackson-datatype-jsr310");
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
