package dev.outbox.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class KeyTest {
  @Test
  void holds_up_to_its_limit() {
    assertThat(new Key("k".repeat(Key.MAX_LENGTH)).value()).hasSize(255);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Key("k".repeat(256)))
        .withMessageStartingWith("key has 256 characters, the limit is 255");
  }

  @Test
  void keeps_case_and_blanks_because_databases_compare_exactly() {
    assertThat(new Key("a")).isNotEqualTo(new Key("A")).isNotEqualTo(new Key("a "));
  }

  @Test
  void shows_as_its_value() {
    assertThat(new Key("order-1")).hasToString("order-1");
  }
}
