package dev.outbox.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Topics;
import dev.outbox.message.Message;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Signs that nobody sees cannot make one name look like another. */
@Tag("proof")
@Timeout(300)
class ForgedTextTest {
  private static final String FORGED = "invoices\u202Edetcejer\u202C\u2066x\u2069\u200F\u200B";
  private static final String UNSEEN =
      "const unseen = /[\\p{Cc}\\p{Cf}]/u, found = [];"
          + "for (const each of document.querySelectorAll('main *, dialog *, .said *')) {"
          + "  for (const node of each.childNodes) if (node.nodeType === 3 &&"
          + " unseen.test(node.data.replaceAll('\\n', ''))) found.push(node.data);"
          + "  for (const a of each.attributes) if (a.name !== 'value' && unseen.test(a.value))"
          + " found.push(a.name);"
          + "} return found";

  private Shop shop;
  private OutboxConsole console;
  private Chromium chromium;

  @BeforeEach
  void open() {
    Chromium.assumeHere();
    shop = new Shop();
    console = OutboxConsole.builder(shop.store).operate().showPayloads().start();
    chromium = Chromium.start();
  }

  @AfterEach
  void close() {
    if (chromium != null) {
      chromium.close();
      console.close();
      shop.close();
    }
  }

  private void assertAllIsSeen(String what) {
    assertThat((List<?>) chromium.run(UNSEEN)).as(what).isEmpty();
    assertThat(chromium.text("body")).as(what).contains("invoices\\u202Edetcejer\\u202C");
  }

  @Test
  void what_turns_the_direction_of_a_text_is_seen_wherever_it_is_shown() throws Exception {
    shop.die(
        FORGED,
        Message.to(FORGED).key(FORGED).header("note", FORGED).json("{\"a\":\"" + FORGED + "\"}"));
    shop.enqueue(Message.to(FORGED).key(FORGED).json("{}"));
    shop.drainFailing(FORGED);
    Topics.create(shop.store).pause(FORGED);
    chromium.open(console.url());
    for (String view : List.of("overview", "topics", "held", "dead", "letter?number=1")) {
      chromium.go(view);
      assertAllIsSeen(view);
    }
    chromium.go("topics");
    chromium.click("Limit\u2026");
    assertAllIsSeen("a question");
  }

  @Test
  void the_name_itself_is_what_is_changed_and_searched_for() throws Exception {
    shop.die("no such customer", Message.to(FORGED).key("7").json("{}"));
    chromium.open(console.url());
    chromium.go("topics");
    chromium.click("Pause");
    chromium.await("Resume");
    assertThat(Topics.create(shop.store).settings()).containsOnlyKeys(FORGED);
    chromium.go("dead?topic=" + URLEncoder.encode(FORGED, StandardCharsets.UTF_8));
    assertThat(chromium.text("main")).contains("no such customer");
  }

  @Test
  void languages_that_run_from_right_to_left_stay_readable() throws Exception {
    String persian = "\u0646\u0627\u0645\u0647\u200C\u0647\u0627";
    shop.die("no such customer", Message.to("mails").key(persian).json("{}"));
    chromium.open(console.url());
    chromium.go("dead");
    assertThat(chromium.text("main")).contains(persian);
  }
}
