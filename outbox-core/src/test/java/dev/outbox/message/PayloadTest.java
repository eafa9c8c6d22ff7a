package dev.outbox.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PayloadTest {
  @Test
  void never_shows_its_content() {
    Payload payload = new Payload("text/plain", "secret".getBytes(StandardCharsets.UTF_8));

    assertThat(payload).hasToString("text/plain, 6 bytes");
  }

  @Test
  void reads_as_UTF_8() {
    Payload payload = new Payload("text/plain", "gr\u00fc\u00df".getBytes(StandardCharsets.UTF_8));

    assertThat(payload.text()).isEqualTo("gr\u00fc\u00df");
  }

  @Test
  void refuses_a_content_type_that_is_empty_or_too_long() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Payload("", new byte[0]))
        .withMessageStartingWith("content type is empty");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Payload("t".repeat(256), new byte[0]))
        .withMessageStartingWith("content type has 256 characters, the limit is 255");
  }
}
