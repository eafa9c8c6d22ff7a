package dev.outbox.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MessageIdTest {
  @Test
  void is_a_UUID_of_version_7_and_the_standard_variant() {
    for (int i = 0; i < 1000; i++) {
      UUID uuid = MessageId.next().value();
      assertThat(uuid.version()).isEqualTo(7);
      assertThat(uuid.variant()).isEqualTo(2);
    }
  }

  @Test
  void knows_when_it_was_made() {
    Instant before = Instant.now();
    Instant made = MessageId.next().madeAt().orElseThrow();

    assertThat(made).isBetween(before.minusMillis(1), Instant.now());
    assertThat(MessageId.parse("f47ac10b-58cc-4372-a567-0e02b2c3d479").madeAt()).isEmpty();
  }

  @Test
  void a_later_millisecond_sorts_later_as_text_and_as_bytes() {
    MessageId early = MessageId.next();
    MessageId late = MessageId.next();
    while (late.madeAt().equals(early.madeAt())) {
      late = MessageId.next();
    }

    assertThat(early).isLessThan(late);
    assertThat(early.toString()).isLessThan(late.toString());
    assertThat(Arrays.compareUnsigned(early.toBytes(), late.toBytes())).isNegative();
  }

  @Test
  void sorts_unsigned_as_databases_sort_the_bytes() {
    MessageId low = MessageId.parse("7fffffff-ffff-7fff-8fff-ffffffffffff");
    MessageId high = MessageId.parse("80000000-0000-7000-8000-000000000000");

    assertThat(low).isLessThan(high);
    assertThat(high).isEqualByComparingTo(MessageId.fromBytes(high.toBytes()));
  }

  @Test
  void survives_bytes_and_text() {
    MessageId id = MessageId.next();

    assertThat(MessageId.fromBytes(id.toBytes())).isEqualTo(id);
    assertThat(MessageId.parse(id.toString())).isEqualTo(id);
    assertThat(MessageId.parse("01020304-0506-7708-890a-0b0c0d0e0f10").toBytes())
        .containsExactly(1, 2, 3, 4, 5, 6, 0x77, 8, 0x89, 10, 11, 12, 13, 14, 15, 16);
  }

  @Test
  void refuses_other_lengths_and_other_texts() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MessageId.fromBytes(new byte[15]))
        .withMessage("a message id has 16 bytes, not 15");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MessageId.parse("order-1"))
        .withMessage("message id is 'order-1' of 7 characters, it must be a UUID of 36");
    String id = MessageId.next().toString();
    assertThatIllegalArgumentException()
        .as("what looks like an id, and has a line's end behind it")
        .isThrownBy(() -> MessageId.parse(id + "\n"))
        .withMessage("message id is '%s' of 37 characters, it must be a UUID of 36".formatted(id));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MessageId.parse(id.replace('-', 'x')))
        .withMessage("message id is '%s', it must be a UUID".formatted(id.replace('-', 'x')));
    assertThatIllegalArgumentException().isThrownBy(() -> MessageId.parse("1-2-3-4-5"));
    assertThatNullPointerException()
        .isThrownBy(() -> MessageId.parse(null))
        .withMessage("message id");
  }

  @Test
  void never_repeats() {
    Set<MessageId> seen = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      assertThat(seen.add(MessageId.next())).isTrue();
    }
  }
}
