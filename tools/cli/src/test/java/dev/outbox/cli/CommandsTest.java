package dev.outbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.Topics;
import dev.outbox.cli.text.Terminal.Size;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each command, on H2; {@link PostgresCommandsTest} has the same on PostgreSQL. */
class CommandsTest {
  private Shop shop;

  Database database() {
    return Database.H2;
  }

  @BeforeEach
  void open() {
    shop = new Shop(database());
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @Test
  void the_status_says_what_waits_and_what_is_wrong() throws Exception {
    shop.enqueue("orders.placed", "42", 3);
    Called called = shop.call("status");
    assertThat(called.exit()).isEqualTo(Exit.DONE);
    assertThat(called.out())
        .contains("No relay is running, and 3 messages wait")
        .contains("ready     3");
    JsonNode json = shop.call("status", "--json").json();
    assertThat(json.get("ready").asInt()).isEqualTo(3);
    assertThat(json.get("lanesWithoutOwner").asInt()).isEqualTo(32);
    assertThat(json.get("troubles").get(0).get("level").asText()).isEqualTo("bad");
    assertThat(shop.call("status", "--check").exit()).isEqualTo(Exit.FOUND);
    assertThat(shop.call("status", "--count-to", "2").out()).contains("ready     2+");
  }

  @Test
  void a_status_without_trouble_is_no_finding() {
    shop.drain();
    assertThat(shop.call("status", "--check").exit()).isEqualTo(Exit.DONE);
  }

  @Test
  void the_doctor_examines_as_who_is_asked_for() {
    Called well = shop.call("doctor");
    assertThat(well.out()).contains("all is well for the role operator");
    assertThat(well.exit()).isEqualTo(Exit.DONE);
    assertThat(shop.call("doctor", "--role", "relay", "--json").json().get("findings").isArray())
        .isTrue();
    assertThat(shop.call("doctor", "--role", "owner").exit()).isEqualTo(Exit.USAGE);
  }

  @Test
  void tables_that_are_wrong_are_findings_of_the_doctor_and_differences() throws Exception {
    shop.run("UPDATE outbox_meta SET schema_version = 99");
    Called newer = shop.call("doctor");
    assertThat(newer.exit()).isEqualTo(Exit.FOUND);
    assertThat(newer.out()).contains("tables-wrong: ").contains("99");
    assertThat(shop.call("schema", "diff").exit()).isEqualTo(Exit.FOUND);
    assertThat(shop.call("schema", "upgrade", "--dry-run").out()).contains("99");

    shop.run("DROP TABLE outbox_parked");
    shop.run("DROP TABLE outbox_meta");
    JsonNode findings = shop.call("doctor", "--json").json().get("findings");
    assertThat(findings.findValuesAsText("text")).anyMatch(text -> text.contains("outbox_parked"));
    assertThat(findings.findValuesAsText("code")).containsOnly("tables-wrong");
  }

  @Test
  void no_text_of_a_message_is_taken_for_a_line_of_the_answer() throws Exception {
    MessageId id = shop.enqueue("mails", "7\n  deadLetter  1\u202e", 1).get(0);
    assertThat(shop.call("find", id.toString()).out())
        .contains("  key         7\n                deadLetter  1\uFFFD");
    shop.drainFailing("on fire");
    assertThat(shop.call("held").out()).contains("mails  7\\n  deadLetter  1\uFFFD");
  }

  @Test
  void topics_are_paused_limited_and_made_strict() throws Exception {
    shop.enqueue("mails", "7", 2);
    assertThat(shop.call("pause", "mails", "--dry-run").out())
        .contains("mails: paused, before: no setting (dry run: nothing was changed)");
    assertThat(Topics.create(shop.store).settings()).isEmpty();
    assertThat(shop.call("pause", "mails").exit()).isEqualTo(Exit.DONE);
    assertThat(shop.call("limit", "mails", "--rate", "50", "--in-flight", "4").out())
        .contains("paused, 50/s, 4 in flight");
    assertThat(shop.call("strict", "mails", "on").out()).contains("strict");
    assertThat(shop.call("topics").out())
        .containsPattern("mails +2 .*paused, 50/s, 4 in flight, strict");
    JsonNode topic = shop.call("topics", "--json").json().get("mails");
    assertThat(topic.get("paused").asBoolean()).isTrue();
    assertThat(topic.get("perSecond").asInt()).isEqualTo(50);
    assertThat(shop.call("status").out()).contains("Topic mails is paused, and 2 of it wait.");
    shop.call("resume", "mails");
    shop.call("limit", "mails", "--none");
    shop.call("strict", "mails", "off");
    assertThat(Topics.create(shop.store).settings()).isEmpty();
  }

  @Test
  void a_bad_limit_changes_nothing() {
    assertThat(shop.call("limit", "mails").err()).contains("name --rate, --in-flight or both");
    Called called = shop.call("limit", "mails", "--rate", "5", "--in-flight", "0");
    assertThat(called.exit()).isEqualTo(Exit.USAGE);
    assertThat(called.err())
        .contains("--in-flight is 0, the minimum is 1; to stop the topic, run: outbox pause mails");
    assertThat(shop.call("limit", "mails", "--rate", "-5", "--dry-run").err())
        .contains("--rate is -5, the minimum is 1; to stop the topic, run: outbox pause mails");
    assertThat(Topics.create(shop.store).settings()).isEmpty();
  }

  @Test
  void what_failed_is_listed_with_its_next_try_and_error() throws Exception {
    shop.enqueue("mails", "7", 2);
    shop.broker.failNext(5, new IllegalStateException("the mail server is on fire"));
    shop.drain();
    assertThat(shop.call("held").out()).containsPattern("mails +7 +[1-5] +(in|due).*on fire");
    JsonNode json = shop.call("held", "--topic", "mails", "--json").json();
    assertThat(json).hasSize(1);
    assertThat(json.get(0).get("error").asText()).contains("the mail server is on fire");
    assertThat(shop.call("held", "--topic", "other").out()).contains("No message waits");
    assertThat(shop.call("held", "--limit", "0").err())
        .contains("--limit is 0, it must be 1 to 1000");
  }

  @Test
  void a_message_is_found_where_it_is() throws Exception {
    MessageId id = shop.enqueue("mails", "7", 1).get(0);
    Called called = shop.call("find", id.toString());
    assertThat(called.exit()).isEqualTo(Exit.DONE);
    assertThat(called.out()).contains("ready").contains("mails");
    Called nowhere = shop.call("find", MessageId.next().toString());
    assertThat(nowhere.exit()).isEqualTo(Exit.FOUND);
    assertThat(nowhere.out()).contains("It is nowhere");
    assertThat(shop.call("find", "42").err()).contains("MESSAGE-ID is 42, it must be a UUID");
  }

  @Test
  void dead_letters_are_searched_and_shown_without_their_payloads() throws Exception {
    shop.die("mails", "7", 2, "no such customer");
    shop.die("orders", "8", 1, "connection refused");
    assertThat(shop.call("dead", "list").out()).contains("no such customer").contains("refused");
    JsonNode found = shop.call("dead", "list", "--error", "SUCH", "--json").json();
    assertThat(found).hasSize(2);
    String number = found.get(0).get("number").asText();
    Called shown = shop.call("dead", "show", number);
    assertThat(shown.out()).contains("payloadBytes").doesNotContain("{\"n\":0}");
    assertThat(shop.call("dead", "show", number, "--payload").out()).contains("{\"n\":0}");
    assertThat(shop.call("dead", "list", "--topic", "orders", "--older-than", "1h").out())
        .contains("No dead letter fits.");
    assertThat(shop.call("dead", "list", "--limit", "1").out()).contains("--after " + number);
    Called none = shop.call("dead", "show", "4711");
    assertThat(none.exit()).isEqualTo(Exit.FOUND);
    assertThat(none.err()).contains("there is no dead letter 4711");
  }

  @Test
  void dead_letters_are_replayed_once_their_number_is_confirmed() throws Exception {
    shop.die("mails", "7", 3, "no such customer");
    assertThat(shop.call("dead", "replay", "--topic", "mails", "--dry-run").out())
        .contains("dry run: 3 dead letters would be replayed");
    Called nobody = shop.call("dead", "replay", "--all");
    assertThat(nobody.exit()).isEqualTo(Exit.UNCONFIRMED);
    assertThat(nobody.err()).contains("repeat the command with --yes");
    assertThat(shop.callWith("y", "dead", "replay", "--all").exit()).isEqualTo(Exit.UNCONFIRMED);
    assertThat(shop.dead()).isEqualTo(3);
    Called called = shop.callWith("3", "dead", "replay", "--all");
    assertThat(called.exit()).isEqualTo(Exit.DONE);
    assertThat(called.out()).contains("3 dead letters were replayed");
    assertThat(called.err())
        .contains("counting: 3 dead letters")
        .containsPattern("\\[#+\\] 3 of 3, .* left");
    assertThat(shop.dead()).isZero();
    shop.drain();
    assertThat(shop.broker.texts("mails", "7")).hasSize(3).doesNotHaveDuplicates();
  }

  @Test
  void dead_letters_are_discarded_by_number_or_by_what_they_are() throws Exception {
    shop.die("mails", "7", 3, "no such customer");
    JsonNode all = shop.call("dead", "list", "--json").json();
    String first = all.get(0).get("number").asText();
    assertThat(shop.call("dead", "discard", first, "--dry-run").out())
        .contains("dry run: 1 dead letter would be discarded");
    Called nobody = shop.call("dead", "discard", first);
    assertThat(nobody.exit()).isEqualTo(Exit.UNCONFIRMED);
    assertThat(nobody.err()).contains("this would delete for good 1 dead letter,");
    assertThat(shop.callWith("2", "dead", "discard", first).exit()).isEqualTo(Exit.UNCONFIRMED);
    assertThat(shop.dead()).isEqualTo(3);
    Called typed = shop.callWith("1", "dead", "discard", first, first);
    assertThat(typed.exit()).isEqualTo(Exit.DONE);
    assertThat(typed.out()).contains("1 dead letter was discarded");
    assertThat(shop.dead()).isEqualTo(2);
    String second = all.get(1).get("number").asText();
    JsonNode answer = shop.call("dead", "discard", "--up-to", second, "--yes", "--json").json();
    assertThat(answer.get("messages").asInt()).isEqualTo(1);
    assertThat(shop.dead()).isEqualTo(1);
  }

  @Test
  void a_search_that_finds_nothing_is_done_and_a_number_that_is_missing_is_not() throws Exception {
    shop.die("mails", "7", 2, "no such customer");
    assertThat(shop.call("dead", "list", "--topic", "other").exit()).isEqualTo(Exit.DONE);
    Called none = shop.call("dead", "replay", "--topic", "other", "--yes", "--json");
    assertThat(none.exit()).isEqualTo(Exit.DONE);
    assertThat(none.json().get("messages").asInt()).isZero();
    String there = shop.call("dead", "list", "--json").json().get(0).get("number").asText();
    Called missing = shop.call("dead", "replay", there, "4711", "--yes");
    assertThat(missing.exit()).isEqualTo(Exit.FOUND);
    assertThat(missing.err()).contains("there is no dead letter 4711");
    assertThat(shop.dead()).isEqualTo(2);
  }

  @Test
  void a_list_and_a_replay_read_no_payload() throws Exception {
    shop.die("mails", "7", 1, "no such customer");
    shop.run("ALTER TABLE outbox_dead RENAME COLUMN payload TO payload_away");
    assertThat(shop.call("dead", "list").out()).contains("no such customer");
    assertThat(shop.call("dead", "show", "1").exit()).isEqualTo(Exit.DATABASE);
    assertThat(shop.call("dead", "discard", "1", "--yes").exit()).isEqualTo(Exit.DONE);
  }

  @Test
  void a_replay_that_the_database_ends_says_how_many_were_done() throws Exception {
    shop.die("mails", "7", 300, "no such customer");
    CompletableFuture<Called> call =
        CompletableFuture.supplyAsync(
            () -> shop.call("dead", "replay", "--all", "--yes", "--pace", "50"));
    while (shop.dead() == 300) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
    shop.run("ALTER TABLE outbox_dead RENAME TO outbox_away");
    Called called = call.get(30, TimeUnit.SECONDS);
    shop.run("ALTER TABLE outbox_away RENAME TO outbox_dead");
    assertThat(called.exit()).isEqualTo(Exit.DATABASE);
    assertThat(called.err())
        .contains("stopped: %d of 300 dead letters were replayed".formatted(300 - shop.dead()));
  }

  @Test
  void who_names_no_dead_letters_changes_none() throws Exception {
    shop.die("mails", "7", 1, "no such customer");
    assertThat(shop.call("dead", "discard").err()).contains("which dead letters?");
    assertThat(shop.call("dead", "discard", "--yes").exit()).isEqualTo(Exit.USAGE);
    assertThat(shop.call("dead", "discard", "1", "--topic", "mails").err()).contains("not by both");
    assertThat(shop.call("dead", "replay", "--all", "--yes", "--pace", "0").err())
        .contains("--pace is 0, the minimum is 1; without it");
    assertThat(shop.call("dead", "replay", "1", "--yes", "--pace", "1").err())
        .contains("--pace goes with options; those that are named go at once");
    assertThat(shop.call("dead", "list", "--limit", "1001").err())
        .contains("--limit is 1001, it must be 1 to 1000; --after");
    assertThat(shop.call("dead", "list", "--error", "").err()).contains("--error is empty");
    assertThat(shop.call("status", "--count-to", "0").err())
        .contains("--count-to is 0, the minimum is 1; without it");
    assertThat(shop.dead()).isEqualTo(1);
  }

  @Test
  void the_schema_is_printed_and_compared() {
    assertThat(shop.call("schema", "print", "--with", "archive").out())
        .contains("CREATE TABLE")
        .contains("outbox_archive");
    assertThat(shop.call("schema", "diff").exit()).isEqualTo(Exit.DONE);
    Called missing = shop.call("schema", "diff", "--with", "dedupe");
    assertThat(missing.exit()).isEqualTo(Exit.FOUND);
    assertThat(missing.out()).contains("outbox_dedupe");
    assertThat(shop.call("schema", "upgrade", "--dry-run").out()).contains("nothing was changed");
    assertThat(shop.call("schema", "upgrade").out()).contains("the tables are of this version");
  }

  @Test
  void lanes_have_owners() {
    assertThat(shop.call("lanes").out()).contains("No relay is running.").contains("lanes 0-31");
    assertThat(shop.call("lanes", "--json").json().get("lanesWithoutOwner")).hasSize(32);
  }

  @Test
  void a_message_cannot_write_to_the_terminal() throws Exception {
    shop.die("mails", "7", 1, "\u001B[2Jgone\u0007\u009B2J");
    Called called = shop.call("dead", "list");
    assertThat(called.out()).contains("[2Jgone").doesNotContain("\u001B", "\u0007", "\u009B");
    String number = shop.call("dead", "list", "--json").json().get(0).get("number").asText();
    assertThat(shop.call("dead", "show", number).out())
        .doesNotContain("\u001B", "\u0007", "\u009B");
  }

  @Test
  void a_dead_letter_that_holds_a_long_key_says_so() throws Exception {
    shop.call("strict", "mails", "on");
    shop.die("mails", "7".repeat(200), 1, "no such customer");
    assertThat(shop.call("dead", "list").out()).contains("rejected, holds its key");
  }

  @Test
  void a_key_may_begin_as_the_name_of_a_file_of_arguments() throws Exception {
    shop.die("mails", "@anna", 1, "no such customer");
    shop.die("mails", "@@anna", 2, "no such customer");
    assertThat(shop.call("dead", "list", "--key", "@@anna", "--json").json()).hasSize(2);
    assertThat(shop.call("dead", "list", "--key", "@anna", "--json").json()).hasSize(1);
  }

  @Test
  void a_bar_is_no_wider_than_the_terminal() throws Exception {
    shop.die("mails", "7", 300, "no such customer");
    Called called =
        Called.seen(new Size(40, 12), shop.variables(), "dead", "replay", "--all", "--yes");
    assertThat(called.exit()).isEqualTo(Exit.DONE);
    assertThat(called.err()).contains("100 of 300, ");
    assertThat(called.err().replace("\u001B[K", "").split("\r"))
        .allSatisfy(drawn -> assertThat(drawn.length()).isLessThan(40));
  }
}
