package dev.outbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetters;
import dev.outbox.servers.Database;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ctrl-C in the middle of long work, in a process of its own. */
@Tag("proof")
class CtrlCTest {
  private static final int LETTERS = 3000;

  @ParameterizedTest
  @ValueSource(strings = {"replay", "discard"})
  void what_was_done_is_told_and_the_same_command_goes_on(String verb) throws Exception {
    try (Shop shop = new Shop(Database.POSTGRES)) {
      shop.die("mails", "7", LETTERS, "no such customer");
      long left = LETTERS;
      int stops = 0;
      while (left > 0) {
        Process process = start(shop, verb);
        boolean interrupted = awaitHalf(shop, process, left);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String told = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        long now = shop.dead();
        if (interrupted && now > 0) {
          assertThat(process.exitValue()).isEqualTo(Exit.STOPPED);
          assertThat(told).contains("stopped: " + text(left - now) + " of " + text(left));
          stops++;
        } else {
          assertThat(now).isZero();
        }
        left = now;
      }
      assertThat(stops).isPositive();
      assertNothingTwice(shop, verb);
    }
  }

  private static String text(long number) {
    return String.format("%,d", number);
  }

  private static void assertNothingTwice(Shop shop, String verb) {
    shop.drain();
    List<String> texts = shop.broker.texts("mails", "7");
    assertThat(texts).hasSize(verb.equals("replay") ? LETTERS : 0);
    assertThat(new HashSet<>(texts)).hasSameSizeAs(texts);
    assertThat(DeadLetters.create(shop.store).count(10)).isZero();
  }

  private static Process start(Shop shop, String verb) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder =
        new ProcessBuilder(
            java,
            "-XX:TieredStopAtLevel=1",
            "-Duser.language=en",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "dead",
            verb,
            "--all",
            "--yes");
    builder.environment().putAll(shop.variables());
    return builder.start();
  }

  /** Interrupts it once it has begun; false when it was faster. */
  private static boolean awaitHalf(Shop shop, Process process, long left) throws Exception {
    while (process.isAlive() && shop.dead() == left) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
    if (!process.isAlive()) {
      return false;
    }
    return new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor() == 0;
  }
}
