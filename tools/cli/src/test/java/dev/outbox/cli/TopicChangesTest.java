package dev.outbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Topics;
import dev.outbox.servers.Database;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A dry run tells what the change would tell. */
class TopicChangesTest {
  private static final String DOUBT =
      "outbox: topic typo has no waiting message and no dead letter; check its spelling. ";

  private Shop shop;

  @BeforeEach
  void open() {
    shop = new Shop(Database.H2);
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @Test
  void a_topic_that_nobody_has_seen_may_be_misspelt() throws Exception {
    shop.enqueue("mails", "7", 1);
    Called dry = shop.call("pause", "typo", "--dry-run");
    assertThat(dry.exit()).isEqualTo(Exit.DONE);
    assertThat(dry.err().strip()).isEqualTo(DOUBT + "There are messages of mails");
    assertThat(shop.call("pause", "typo", "--dry-run", "--json").json().get("after").asText())
        .isEqualTo("paused");
    assertThat(Topics.create(shop.store).settings()).isEmpty();
    assertThat(shop.call("pause", "typo").err()).isEqualTo(dry.err());
    assertThat(shop.call("resume", "typo", "--dry-run").err()).as("it is set now").isEmpty();
    assertThat(shop.call("pause", "mails", "--dry-run").err()).isEmpty();
  }

  @Test
  void a_doubt_turns_no_text_round() throws Exception {
    shop.enqueue("mails\u202e", "7", 1);
    assertThat(shop.call("pause", "ty\u202epo", "--dry-run").err())
        .contains("topic ty\uFFFDpo has", "messages of mails\uFFFD");
  }

  @Test
  void a_topic_that_no_message_can_have_is_refused() {
    Called called = shop.call("pause", "", "--dry-run");
    assertThat(called.exit()).isEqualTo(Exit.USAGE);
    assertThat(called.err()).contains("topic is empty");
    assertThat(shop.call("pause", "").err()).isEqualTo(called.err());
  }
}
