package dev.outbox.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outbox.message.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
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
