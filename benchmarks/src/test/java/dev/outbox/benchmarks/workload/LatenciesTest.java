package dev.outbox.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.benchmarks.workload.Writers.Committed;
import dev.outbox.message.MessageId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LatenciesTest {
  @Test
  void a_quantile_is_a_time_that_so_many_did_not_exceed() {
    Map<MessageId, Long> arrivals = new HashMap<>();
    List<Committed> committed =
        IntStream.rangeClosed(1, 100).mapToObj(millis -> arriving(millis, arrivals)).toList();

    Latencies latencies = Latencies.between(committed, Committed::returned, arrivals);

    assertThat(latencies.millis(0.5)).isEqualTo(50);
    assertThat(latencies.millis(0.99)).isEqualTo(99);
    assertThat(latencies.millis(1)).isEqualTo(100);
    assertThat(Latencies.between(committed, Committed::called, arrivals).millis(1)).isEqualTo(101);
  }

  @Test
  void an_arrival_before_the_writer_knew_took_no_time() {
    Map<MessageId, Long> arrivals = new HashMap<>();
    Committed early = arriving(-3, arrivals);

    assertThat(Latencies.between(List.of(early), Committed::returned, arrivals).millis(1)).isZero();
  }

  @Test
  void a_missing_message_is_no_latency() {
    Committed lost = new Committed(MessageId.next(), 0, 0);

    assertThatThrownBy(() -> Latencies.between(List.of(lost), Committed::returned, Map.of()))
        .hasMessage("a message is missing");
  }

  private static Committed arriving(int millis, Map<MessageId, Long> arrivals) {
    MessageId id = MessageId.next();
    arrivals.put(id, millis * 1_000_000L);
    return new Committed(id, -1_000_000, 0);
  }
}
