package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoreExceptionTest {
  @Test
  void what_a_driver_says_in_several_lines_is_one_line() {
    StoreException refused =
        StoreException.lasting("enqueue: ERROR: no relation \"outbox\"\n  Position: 13", null);

    assertThat(refused).hasMessage("enqueue: ERROR: no relation \"outbox\"   Position: 13");
  }
}
