package dev.outbox.benchmarks.contender;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.BitSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SinkTest {
  @Test
  void all_messages_once_are_well() throws Exception {
    Sink sink = Sink.counting().expecting(100);
    LongStream.range(0, 50).forEach(number -> sink.accept(Payload.bytes(number)));
    LongStream.range(50, 100).forEach(number -> sink.accept(Payload.text(number)));

    sink.await(Duration.ofSeconds(1));

    assertThatCode(() -> sink.check(100)).doesNotThrowAnyException();
    assertThat(sink.seen()).isEqualTo(all(100));
    assertThat(sink.completeNanos()).isGreaterThanOrEqualTo(sink.firstNanos());
  }

  private static BitSet all(int count) {
    BitSet all = new BitSet();
    all.set(0, count);
    return all;
  }

  @Test
  void a_lost_message_is_named() {
    Sink sink = Sink.counting();
    LongStream.range(0, 100).filter(number -> number % 40 != 7).forEach(sink::accept);

    assertThatIllegalStateException()
        .isThrownBy(() -> sink.check(100))
        .withMessage("lost: 3 of 100 messages are missing, the first is number 7");
  }

  @Test
  void a_repeated_message_is_named_and_counts_once() {
    Sink sink = Sink.counting();
    LongStream.range(0, 100).forEach(sink::accept);
    sink.accept(42);
    sink.accept(43);

    assertThat(sink.arrived()).isEqualTo(100);
    assertThatIllegalStateException()
        .isThrownBy(() -> sink.check(100))
        .withMessage("repeated: 2 messages arrived again, the first is number 42");
  }

  @Test
  void a_message_that_nobody_sent_is_named() {
    Sink sink = Sink.counting();
    LongStream.range(0, 101).forEach(sink::accept);

    assertThatIllegalStateException()
        .isThrownBy(() -> sink.check(100))
        .withMessage("number 100 arrived, but only 100 were sent");
  }

  @Test
  void waiting_for_what_never_comes_ends() {
    Sink sink = Sink.counting().expecting(2);
    sink.accept(0);

    assertThatIllegalStateException()
        .isThrownBy(() -> sink.await(Duration.ofMillis(20)))
        .withMessage("1 of 2 have arrived, and no other for PT0.02S");
  }

  @Test
  void a_payload_has_200_bytes_and_carries_its_number_either_way() {
    assertThat(Payload.bytes(123_456)).hasSize(200).startsWith("000000123456".getBytes(UTF_8));
    assertThat(Payload.text(123_456)).isEqualTo(new String(Payload.bytes(123_456), UTF_8));
    assertThat(Payload.number(Payload.bytes(7_000_000_001L))).isEqualTo(7_000_000_001L);
    assertThat(Payload.number(Payload.text(7_000_000_001L))).isEqualTo(7_000_000_001L);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Payload.number(new byte[199]))
        .withMessage("payload has a length of 199, every one that was sent has 200");
  }
}
