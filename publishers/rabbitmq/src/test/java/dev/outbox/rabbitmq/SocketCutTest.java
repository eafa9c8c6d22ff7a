package dev.outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SocketCutTest {
  /** The common pool is the application's, which may park all of its threads. */
  @Test
  void what_is_cut_later_is_cut_by_a_daemon_of_its_own() throws Exception {
    CompletableFuture<Thread> cutter = new CompletableFuture<>();
    CompletableFuture<Void> unused =
        SocketCut.later(Duration.ofMillis(1), () -> cutter.complete(Thread.currentThread()));
    Thread thread = cutter.get(10, TimeUnit.SECONDS);
    assertThat(thread.getName()).isEqualTo("outbox-rabbitmq-cut");
    assertThat(thread.isDaemon()).isTrue();
  }
}
