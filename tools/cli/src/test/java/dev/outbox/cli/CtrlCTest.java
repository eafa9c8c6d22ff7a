package dev.outbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetters;
import dev.outbox.servers.Database;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ctrl-C in the middle of long work, in a process of its own. */
@Tag("proof")
class CtrlCTest {
  private static final int LETTERS = 3000;

  /** A locked one in the second portion keeps the work from its end until it was interrupted. */
  private static final int BEGUN = 150;

  @ParameterizedTest
  @ValueSource(strings = {"replay", "discard"})
  void what_was_done_is_told_and_the_same_command_goes_on(String verb) throws Exception {
    try (Shop shop = new Shop(Database.POSTGRES)) {
      shop.die("mails", "7", LETTERS, "no such customer");
      AutoCloseable locked = shop.lockDead(BEGUN);
      Process stopped = start(shop, verb);
      try {
        while (stopped.isAlive() && shop.dead() == LETTERS) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
        assertThat(interrupt(stopped)).isTrue();
      } finally {
        locked.close();
      }
      String told = told(stopped);
      long left = shop.dead();
      assertThat(stopped.exitValue()).as(told).isEqualTo(Exit.STOPPED);
      assertThat(left).isBetween(1L, LETTERS - (long) BEGUN);
      assertThat(told).contains("stopped: " + text(LETTERS - left) + " of " + text(LETTERS));
      Process further = start(shop, verb);
      String toldAtLast = told(further);
      assertThat(further.exitValue()).as(toldAtLast).isZero();
      assertThat(shop.dead()).isZero();
      assertNothingTwice(shop, verb);
    }
  }

  @Test
  void a_replay_of_the_console_ends_after_its_portion_and_says_how_many() throws Exception {
    try (Shop shop = new Shop(Database.POSTGRES)) {
      shop.die("mails", "7", 300, "no such customer");
      Process process = started(shop, "console", "--operate");
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      replayAtPace(URI.create(out.readLine().replace("Open ", "")), 300);
      while (shop.dead() == 300) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
      }
      assertThat(interrupt(process)).isTrue();
      String told = told(process);
      long done = 300 - shop.dead();
      assertThat(done).isBetween(1L, 299L);
      assertThat(told)
          .contains("who=token@127.0.0.1 what=replay 300 dead letters")
          .contains("stopped, " + done + " of 300 dead letters were changed");
    }
  }

  private static void replayAtPace(URI url, long letters) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    post(client, url, "jobs", "{\"action\":\"replay\",\"filter\":{},\"pace\":10}");
    String confirm = "{\"id\":\"1\",\"messages\":%d}".formatted(letters);
    while (post(client, url, "jobs/confirm", confirm) != 200) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private static int post(HttpClient client, URI url, String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(url.resolve("/api/" + path))
            .header("Authorization", "Bearer " + url.getFragment().replace("token=", ""))
            .header("Content-Type", "application/json")
            .header("X-Outbox-Console", "1")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
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
    return started(shop, "dead", verb, "--all", "--yes");
  }

  private static Process started(Shop shop, String... arguments) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>();
    command.addAll(List.of(java, "-XX:TieredStopAtLevel=1", "-Duser.language=en", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(shop.variables());
    return builder.start();
  }

  /**
   * What it said until its end. Where this build ignores SIGINT, as in the background of a script,
   * so does it.
   */
  private static String told(Process process) throws Exception {
    CompletableFuture<Void> late =
        CompletableFuture.runAsync(
            process::destroyForcibly, CompletableFuture.delayedExecutor(60, TimeUnit.SECONDS));
    String told = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(late.cancel(false)).as("it ends within a minute; it said: %s", told).isTrue();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return told;
  }

  private static boolean interrupt(Process process) throws Exception {
    return new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor() == 0;
  }
}
