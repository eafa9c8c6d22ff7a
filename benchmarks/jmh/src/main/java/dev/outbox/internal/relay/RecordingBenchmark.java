package dev.outbox.internal.relay;

import dev.outbox.internal.relay.record.Recording;
import dev.outbox.publish.RelayListener.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What the events of JDK Flight Recorder cost a flight while nothing is recorded. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RecordingBenchmark {
  private final Duration time = Duration.ofMillis(3);
  private final Object answer = List.of();

  @Benchmark
  public void published() {
    if (Recording.isPublishRecorded()) {
      Recording.published("orders.placed", Outcome.DELIVERED, 1000, time);
    }
  }

  @Benchmark
  public Object settle() {
    return Recording.settle(1000, 32, () -> answer);
  }

  @Benchmark
  public Object settleWithoutEvent() {
    return answer;
  }
}
