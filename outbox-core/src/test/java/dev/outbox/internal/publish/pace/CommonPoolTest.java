package dev.outbox.internal.publish.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The common pool is the application's, which may park all of its threads. */
class CommonPoolTest {
  private static final int THREADS = 2;

  /** In a JVM of its own, since a machine of two cores has no common pool to speak of. */
  @Test
  void a_lost_place_goes_on_to_one_that_waits_without_a_thread_of_the_common_pool()
      throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.util.concurrent.ForkJoinPool.common.parallelism=" + THREADS,
                "-cp",
                System.getProperty("java.class.path"),
                Parked.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  /** A window in an application whose common pool is parked. */
  static final class Parked {
    private Parked() {}

    public static void main(String[] arguments) throws InterruptedException {
      park();
      Window window = Window.of(1);
      AtomicBoolean lost = new AtomicBoolean();
      CountDownLatch started = new CountDownLatch(1);
      window.enter(List.of(new TestEntry(place -> {}, lost::get)));
      window.enter(List.of(new TestEntry(started::countDown)));
      lost.set(true);
      if (!started.await(10, TimeUnit.SECONDS)) {
        throw new AssertionError("it waits for a thread of the common pool");
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
