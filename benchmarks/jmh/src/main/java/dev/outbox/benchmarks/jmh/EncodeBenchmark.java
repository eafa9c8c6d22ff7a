package dev.outbox.benchmarks.jmh;

import dev.outbox.json.JacksonCodec;
import dev.outbox.message.Key;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneHash;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.message.PayloadCodec;
import java.math.BigDecimal;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What an enqueue does before the database sees it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EncodeBenchmark {
  private static final int LANES = 32;

  private final PayloadCodec codec = JacksonCodec.create();
  private final Order order =
      new Order("order-4711", "customer-42", new BigDecimal("129.95"), "to the usual address");
  private final Payload encoded = codec.encode(order);
  private final Key key = new Key("customer-42");

  /** A payload of about 100 bytes of JSON. */
  public record Order(String id, String customer, BigDecimal total, String note) {}

  @Benchmark
  public Payload encode() {
    return codec.encode(order);
  }

  @Benchmark
  public Order decode() {
    return codec.decode(encoded, Order.class);
  }

  @Benchmark
  public Lane lane() {
    return LaneHash.of(key, LANES);
  }

  @Benchmark
  public MessageId id() {
    return MessageId.next();
  }
}
