package dev.outbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.publish.Ack;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The common pool is the application's, which may park all of its threads. */
class CommonPoolTest {
  private static final int THREADS = 2;

  private final TestEndpoint endpoint = TestEndpoint.get();

  /** In a JVM of its own, since a machine of two cores has no common pool to speak of. */
  @Test
  void an_answer_and_a_time_out_wait_for_no_thread_of_the_common_pool() throws Exception {
    String path = TestEndpoint.newPath();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.util.concurrent.ForkJoinPool.common.parallelism=" + THREADS,
                "-cp",
                System.getProperty("java.class.path"),
                Parked.class.getName(),
                endpoint.at(path).toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(endpoint.received(path)).hasSize(1);
  }

  /** A publisher in an application whose common pool is parked. */
  static final class Parked {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private Parked() {}

    public static void main(String[] arguments) throws Exception {
      park();
      URI uri = URI.create(arguments[0]);
      assertThat(answer(HttpPublisher.builder(uri))).isInstanceOf(Ack.Delivered.class);
      assertThat(answer(HttpPublisher.builder(uri.resolve("/status/200"))))
          .isInstanceOf(Ack.Delivered.class);
      assertThat(answer(HttpPublisher.builder(uri.resolve("/status/422"))))
          .isEqualTo(Ack.rejected(uri.resolve("/...") + " answered 422: as asked"));
      assertThat(answer(HttpPublisher.builder(uri).publicAddressesOnly()))
          .isInstanceOf(Ack.Rejected.class);
      for (String path : new String[] {"/hang", "/endless", "/close"}) {
        assertThat(answer(HttpPublisher.builder(uri.resolve(path)).timeout(Duration.ofMillis(300))))
            .as(path)
            .isInstanceOf(Ack.Unavailable.class);
      }
    }

    private static Ack answer(HttpPublisher.Builder builder) throws Exception {
      OneFlight flight =
          new OneFlight(TestEndpoint.message("orders", "42", new byte[10]), DEADLINE);
      try (HttpPublisher publisher = builder.publishDeadline(DEADLINE).build()) {
        publisher.publish(flight);
        return flight.await();
      }
    }

    private static void park() throws InterruptedException {
      CountDownLatch parked = new CountDownLatch(THREADS);
      for (int thread = 0; thread < THREADS; thread++) {
        ForkJoinPool.commonPool()
            .execute(
                () -> {
                  parked.countDown();
                  while (true) {
                    LockSupport.park();
                  }
                });
      }
      parked.await();
    }
  }
}
