package dev.outbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.Relay;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What scripts read: always the same fields, in the same order. */
class JsonTest {
  private Shop shop;

  @BeforeEach
  void open() {
    shop = new Shop(Database.H2);
  }

  @AfterEach
  void close() {
    shop.close();
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void a_payload_is_a_text_or_else_its_bytes() throws Exception {
    byte[] bytes = {(byte) 0xff, 0, 0x1b, 'x'};
    shop.bury("no such customer", Message.to("mails").text("für 東京"));
    shop.bury("no such customer", Message.to("mails").bytes(bytes));
    JsonNode text = shop.call("dead", "show", "1", "--payload", "--json").json();
    assertThat(text.get("payload").asText()).isEqualTo("für 東京");
    assertThat(text.has("payloadBase64")).isFalse();
    JsonNode binary = shop.call("dead", "show", "2", "--payload", "--json").json();
    assertThat(binary.has("payload")).isFalse();
    assertThat(binary.get("payloadBase64").binaryValue()).isEqualTo(bytes);
    assertThat(shop.call("dead", "show", "2", "--payload").out())
        .containsPattern("payloadBase64 +" + Base64.getEncoder().encodeToString(bytes));
    assertThat(shop.call("dead", "list", "--json").out()).doesNotContain("payload");
  }

  @Test
  void what_would_forge_a_terminal_is_escaped_and_lost_by_nobody() throws Exception {
    String forged = "paid\u202etsol\u2069\u200f\u009b2J 東京 é";
    shop.bury(forged, Message.to("mails").key(forged).text(""));
    Called called = shop.call("dead", "list", "--json");
    assertThat(called.out()).contains("\\u202E", "\\u2069", "\\u200F", "\\u009B", "東京 é");
    assertThat(called.out()).doesNotContain("\u202e", "\u2069", "\u200f", "\u009b");
    assertThat(called.json().get(0).get("key").asText()).isEqualTo(forged);
  }

  @Test
  void an_answer_that_could_not_be_written_is_no_success() {
    Called unread = Called.unread(shop.variables(), "dead", "list", "--json");
    assertThat(unread.exit()).isEqualTo(Exit.FOUND);
    assertThat(unread.err()).contains("outbox: the answer could not be written");
  }

  @Test
  void its_fields_have_an_order() throws Exception {
    try (Relay relay = Relay.builder(shop.store, shop.broker.publisher()).start()) {
      assertThat(relay.name()).isNotEmpty();
      JsonNode lanes = shop.call("lanes", "--json").json();
      assertThat(names(lanes)).containsExactly("relays", "lanesWithoutOwner");
      assertThat(names(lanes.get("relays").get(0)))
          .containsExactly("name", "startedAt", "sharing", "lanes");
    }
    assertThat(names(shop.call("pause", "mails", "--json").json()))
        .containsExactly("topic", "dryRun", "before", "after");
    assertThat(names(shop.call("schema", "upgrade", "--dry-run", "--json").json()))
        .containsExactly("dryRun", "before", "after", "ddl");
    assertThat(names(shop.call("status", "--json").json().get("troubles").get(0)))
        .containsExactly("level", "text");
    shop.run("UPDATE outbox_meta SET schema_version = 99");
    assertThat(names(shop.call("doctor", "--json").json().get("findings").get(0)))
        .containsExactly("severity", "code", "text");
  }
}
