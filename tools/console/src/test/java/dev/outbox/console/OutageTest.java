package dev.outbox.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A database that is silent for a while: the console says so, and is back when it is. */
@Timeout(60)
class OutageTest {
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private Shop shop;
  private OutboxConsole console;
  private Browser browser;

  @BeforeEach
  void open() {
    shop = new Shop();
    console = OutboxConsole.builder(shop.store).interval(Duration.ofMillis(500)).start();
    browser = new Browser(console);
  }

  @AfterEach
  void close() throws Exception {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    console.close();
    shop.close();
  }

  private static JsonNode next(BufferedReader lines, String field) throws Exception {
    JsonNode event = Browser.event(lines);
    while (!event.has(field)) {
      event = Browser.event(lines);
    }
    return event;
  }

  @Test
  void who_watches_is_told_that_it_waits_and_soon_that_all_is_well_again() throws Exception {
    try (BufferedReader lines = browser.watch()) {
      next(lines, "ready");
      try (Pause pause = Pause.of(shop.dataSource)) {
        assertThat(next(lines, "waiting").get("waiting").asLong()).isBetween(3L, 10L);
        pause.execute("ALTER TABLE outbox RENAME TO outbox_away");
      }
      next(lines, "down");
      long began = System.nanoTime();
      shop.execute("ALTER TABLE outbox_away RENAME TO outbox");
      next(lines, "ready");
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(12));
    }
  }

  @Test
  void a_request_behind_one_that_hangs_is_answered_all_the_same() throws Exception {
    browser.get("api/lanes");
    CompletionService<HttpResponse<String>> answers = new ExecutorCompletionService<>(threads);
    try (Pause pause = Pause.of(shop.dataSource)) {
      assertThat(pause).isNotNull();
      answers.submit(() -> browser.send(browser.own("api/lanes")));
      answers.submit(() -> browser.send(browser.own("api/topics")));
      HttpResponse<String> refused = answers.take().get(); // whichever came second
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).contains("The database has not answered for 5 s");
    }
    assertThat(answers.take().get().statusCode()).isEqualTo(200);
  }

  @Test
  void a_search_that_takes_too_long_is_told_to_be_narrower() throws Exception {
    shop.die("mails", 1, "no such customer");
    shop.execute("ALTER TABLE outbox_dead RENAME TO few");
    shop.execute(
        "CREATE VIEW outbox_dead AS SELECT few.* FROM few, SYSTEM_RANGE(1, 1000000000000)");
    assertToldWhenSlow("error=nothing", "Narrow a search by topic, or by topic and key.");
    assertToldWhenSlow("error=nothing&key=k0", "Narrow a search by topic, or by topic and key.");
    assertToldWhenSlow("error=nothing&topic=mails", "Narrow the search by key too.");
    assertToldWhenSlow("error=nothing&topic=mails&key=k0", "Search by topic and key only.");
    assertToldWhenSlow("topic=mails&key=k0", "Try again later.");
  }

  private void assertToldWhenSlow(String query, String remedy) throws Exception {
    Future<HttpResponse<String>> search =
        threads.submit(() -> browser.send(browser.own("api/dead?" + query)));
    while (!search.isDone()) {
      shop.execute( // as the limit of a statement's time does, which is 10 s
          "SELECT CANCEL_SESSION(session_id) FROM information_schema.sessions"
              + " WHERE session_id <> SESSION_ID() AND executing_statement LIKE '%outbox_dead%'");
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    assertThat(search.get().statusCode()).isEqualTo(503);
    assertThat(search.get().body()).contains("because it took too long. " + remedy);
  }
}
