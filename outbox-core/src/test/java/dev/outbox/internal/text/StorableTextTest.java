package dev.outbox.internal.text;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;

class StorableTextTest {
  @Test
  void the_longest_text_passes_and_one_character_more_is_refused_with_both_numbers() {
    assertThatCode(() -> StorableText.check("topic", "x".repeat(255), 255))
        .doesNotThrowAnyException();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StorableText.check("topic", "x".repeat(256), 255))
        .withMessage(
            "topic has 256 characters, the limit is 255: '%s...'".formatted("x".repeat(40)));
  }

  @Test
  void an_empty_text_is_refused_with_the_remedy() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StorableText.check("key", "", 255))
        .withMessage("key is empty; give it a value of 1 to 255 characters");
  }

  @Test
  void a_missing_text_is_refused_by_the_name_of_its_argument() {
    assertThatNullPointerException()
        .isThrownBy(() -> StorableText.check("topic", null, 255))
        .withMessage("topic");
    assertThatNullPointerException()
        .isThrownBy(() -> StorableText.checkCharacters("header tenant", null))
        .withMessage("header tenant");
  }

  @Test
  void a_NUL_is_refused_with_its_place_and_shown_in_a_form_that_can_be_logged() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StorableText.check("key", "ab\0c", 255))
        .withMessage("key has a NUL character at index 2, which no column can hold: 'ab\\0c'");
  }

  @Test
  void half_a_surrogate_pair_is_refused_wherever_it_is() {
    for (String half : new String[] {"a\ud83d", "a\ude80", "a\ud83d\ud83d\ude80", "a\ud83dx"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> StorableText.check("key", half, 255))
          .withMessageStartingWith("key has half a surrogate pair (U+D")
          .withMessageEndingWith("at index 1, which has no UTF-8 form");
    }
  }

  @Test
  void whole_surrogate_pairs_pass_also_at_the_end() {
    assertThatCode(() -> StorableText.check("key", "\ud83d\ude80\ud83d\ude80", 4))
        .doesNotThrowAnyException();
  }
}
