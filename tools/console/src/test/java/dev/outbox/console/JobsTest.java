package dev.outbox.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replays and discards of many: counted, confirmed, told, stopped. */
@Timeout(60)
class JobsTest {
  private Shop shop;
  private OutboxConsole console;
  private Browser browser;

  @BeforeEach
  void open() {
    shop = new Shop();
    console = OutboxConsole.builder(shop.store).operate().start();
    browser = new Browser(console);
  }

  @AfterEach
  void close() {
    console.close();
    shop.close();
  }

  private JsonNode begin(String action, Map<String, String> filter, int pace) throws Exception {
    Map<String, Object> asked = Map.of("action", action, "filter", filter, "pace", pace);
    return Browser.json(browser.post("api/jobs", asked).body());
  }

  private JsonNode until(String id, List<String> states) throws Exception {
    return browser.job(id, states);
  }

  private int confirm(String id, long messages) throws Exception {
    return browser.confirm(id, messages);
  }

  @Test
  void what_was_counted_is_replayed_once_its_number_is_typed() throws Exception {
    shop.die("mails", 250, "no such customer");
    shop.die("orders", 5, "no such customer");
    String id = begin("replay", Map.of("topic", "mails"), 100_000).get("id").asText();
    JsonNode counted = until(id, List.of("COUNTED"));
    assertThat(counted.get("counted").asLong()).isEqualTo(250);
    assertThat(shop.dead()).as("a dry run changes nothing").isEqualTo(255);
    assertThat(confirm(id, 249)).isEqualTo(409);
    assertThat(shop.dead()).isEqualTo(255);
    shop.die("mails", 3, "died later");
    assertThat(confirm(id, 250)).isEqualTo(200);
    assertThat(until(id, List.of("DONE")).get("done").asLong()).isEqualTo(250);
    assertThat(confirm(id, 250)).as("again").isEqualTo(409);
    assertThat(shop.dead()).as("those that died later stay").isEqualTo(8);
    shop.drain();
    assertThat(shop.broker.messages("mails")).hasSize(250);
  }

  @Test
  void a_pace_that_is_no_whole_number_is_refused_and_not_passed_over() throws Exception {
    shop.die("mails", 3, "no such customer");
    for (Object pace : List.of("50", 1.5, 3_000_000_000L)) {
      Map<String, Object> asked = Map.of("action", "replay", "filter", Map.of(), "pace", pace);
      HttpResponse<String> refused = browser.post("api/jobs", asked);
      assertThat(refused.statusCode()).as("pace %s", pace).isEqualTo(400);
      assertThat(refused.body()).contains("pace is no whole number");
    }
    assertThat(shop.dead()).isEqualTo(3);
  }

  /** It would be about other letters, or all. */
  @Test
  void a_name_that_is_misspelt_or_a_filter_that_is_none_is_refused() throws Exception {
    List<Object> filters =
        List.of(
            "mails",
            Map.of("topc", "mails"),
            Map.of("upTo", 3),
            Map.of("topic", List.of("mails")),
            Map.of("key", Map.of("is", "k1")),
            Map.of("reason", ""),
            Map.of("error", 404),
            Map.of("older", 1.5),
            Collections.singletonMap("older", null));
    for (Object filter : filters) {
      assertRefused(Map.of("action", "replay", "filter", filter));
    }
    assertRefused(Map.of("action", "replay", "filtre", Map.of("topic", "mails")));
    assertRefused(Map.of("action", "discard"));
  }

  private void assertRefused(Map<String, Object> asked) throws Exception {
    HttpResponse<String> refused = browser.post("api/jobs", asked);
    assertThat(refused.statusCode()).as("%s", asked).isEqualTo(400);
    assertThat(refused.body()).contains("topic, key, reason, error, older");
  }

  @Test
  void it_stops_and_what_was_done_stays_and_nothing_comes_twice() throws Exception {
    shop.die("mails", 300, "no such customer");
    String id = begin("replay", Map.of(), 100).get("id").asText();
    until(id, List.of("COUNTED"));
    confirm(id, 300);
    while (browser.get("api/job?id=" + id).get("done").asLong() == 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
    browser.post("api/jobs/stop", Map.of("id", id));
    long done = until(id, List.of("STOPPED")).get("done").asLong();
    assertThat(done).isBetween(1L, 299L);
    assertThat(shop.dead()).isEqualTo(300 - done);
    String rest = begin("replay", Map.of(), 100_000).get("id").asText();
    assertThat(until(rest, List.of("COUNTED")).get("counted").asLong()).isEqualTo(300 - done);
    confirm(rest, 300 - done);
    until(rest, List.of("DONE"));
    shop.drain();
    assertThat(shop.broker.messages("mails")).hasSize(300);
    assertThat(new HashSet<>(shop.broker.ids())).hasSize(300);
  }

  /** No more than four are replayed or discarded together. */
  @Test
  void four_slow_replays_hold_up_no_count_and_what_waits_for_its_turn_ends_at_once()
      throws Exception {
    shop.die("orders", 100, "no such customer");
    shop.die("mails", 3, "no such customer");
    List<String> slow = new ArrayList<>();
    for (int number = 0; number < 4; number++) {
      slow.add(begin("replay", Map.of("topic", "orders"), 1).get("id").asText());
      until(slow.get(number), List.of("COUNTED"));
    }
    for (String each : slow) {
      assertThat(confirm(each, 100)).isEqualTo(200);
    }
    long began = System.nanoTime();
    String id = begin("discard", Map.of("topic", "mails"), 1).get("id").asText();
    assertThat(until(id, List.of("COUNTED")).get("counted").asLong()).isEqualTo(3);
    assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(5));
    assertThat(confirm(id, 3)).isEqualTo(200);
    JsonNode stopped = Browser.json(browser.post("api/jobs/stop", Map.of("id", id)).body());
    assertThat(stopped.get("state").asText()).isEqualTo("STOPPED");
    assertThat(browser.get("api/job?id=" + slow.get(0)).get("state").asText()).isEqualTo("RUNNING");
    for (String each : slow) {
      browser.post("api/jobs/stop", Map.of("id", each));
    }
    for (String each : slow) {
      until(each, List.of("STOPPED"));
    }
    JsonNode left = browser.get("api/job?id=" + id);
    assertThat(left.get("state").asText()).as("its turn has come").isEqualTo("STOPPED");
    assertThat(left.get("done").asLong()).isZero();
    assertThat(browser.get("api/dead?topic=mails").get("letters")).hasSize(3);
  }

  @Test
  void what_was_confirmed_is_found_again_without_its_id() throws Exception {
    shop.die("mails", 30, "no such customer");
    String id = begin("replay", Map.of("topic", "mails"), 100_000).get("id").asText();
    until(id, List.of("COUNTED"));
    assertThat(browser.get("api/jobs").get("jobs")).as("not confirmed").isEmpty();
    confirm(id, 30);
    until(id, List.of("DONE"));
    JsonNode found = browser.get("api/jobs").get("jobs");
    assertThat(found).hasSize(1);
    assertThat(found.get(0).get("id").asText()).isEqualTo(id);
    assertThat(found.get(0).get("which").asText()).isEqualTo("topic=mails");
    assertThat(found.get(0).get("who").asText()).isEqualTo("token@127.0.0.1");
    assertThat(found.get(0).get("done").asLong()).isEqualTo(30);
  }

  @Test
  void counts_that_nobody_confirms_do_not_keep_out_later_ones() throws Exception {
    for (int i = 0; i < 25; i++) {
      JsonNode job = begin("replay", Map.of(), 100);
      assertThat(job.has("id")).as(job.toString()).isTrue();
      until(job.get("id").asText(), List.of("COUNTED"));
    }
  }

  @Test
  void what_was_stopped_cannot_be_confirmed() throws Exception {
    shop.die("mails", 3, "no such customer");
    String id = begin("discard", Map.of(), 100).get("id").asText();
    until(id, List.of("COUNTED"));
    browser.post("api/jobs/stop", Map.of("id", id));
    assertThat(browser.get("api/job?id=" + id).get("state").asText()).isEqualTo("STOPPED");
    assertThat(confirm(id, 3)).isEqualTo(409);
    assertThat(shop.dead()).isEqualTo(3);
  }

  @Test
  void a_discard_takes_those_that_fit_and_no_other() throws Exception {
    shop.die("mails", 3, "no such customer");
    shop.die("mails", 2, "connection refused");
    String id = begin("discard", Map.of("error", "REFUSED"), 1).get("id").asText();
    until(id, List.of("COUNTED"));
    confirm(id, 2);
    until(id, List.of("DONE"));
    assertThat(shop.dead()).isEqualTo(3);
  }

  @Test
  void one_letter_is_replayed_or_discarded_and_an_old_number_is_not() throws Exception {
    shop.die("mails", 2, "no such customer");
    JsonNode letter = browser.get("api/dead").get("letters").get(0);
    Map<String, Object> wrong =
        Map.of(
            "action",
            "discard",
            "letters",
            List.of(Map.of("number", letter.get("number"), "id", letterId(1))));
    assertThat(browser.post("api/letters", wrong).body()).contains("\"changed\":0");
    Map<String, Object> right = Map.of("action", "replay", "letters", List.of(letter));
    assertThat(browser.post("api/letters", right).body()).contains("\"changed\":1");
    assertThat(shop.dead()).isEqualTo(1);
    assertThat(browser.post("api/letters", Map.of("action", "replay")).statusCode()).isEqualTo(400);
    assertThat(begin("destroy", Map.of(), 1).get("error").asText()).contains("replay or discard");
    assertThat(begin("replay", Map.of(), 0).get("error").asText()).contains("perSecond is 0");
  }

  private String letterId(int index) throws Exception {
    return browser.get("api/dead").get("letters").get(index).get("id").asText();
  }
}
