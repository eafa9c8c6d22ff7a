package dev.outbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whoever reads an error at a shell is told what to do there, not what to write in Java. */
class RemediesTest {
  private static final Map<String, String> EMPTY =
      Map.of("OUTBOX_URL", "jdbc:h2:mem:without-tables", "OUTBOX_USER", "", "OUTBOX_PASSWORD", "");

  private Shop shop;

  @BeforeEach
  void open() {
    shop = new Shop(Database.H2);
  }

  @AfterEach
  void close() {
    shop.close();
  }

  private static void says(Called called, int exit, String... remedies) {
    String said = called.out() + called.err();
    assertThat(said)
        .contains(remedies)
        .doesNotContain("builder(", "dataSource", "(..)", "create()", "the library");
    assertThat(called.exit()).as(said).isEqualTo(exit);
  }

  @Test
  void tables_that_are_missing() {
    says(
        Called.by(EMPTY, "status"),
        Exit.DATABASE,
        "create them with the DDL of 'outbox schema print'",
        "or name them with --schema and --table-prefix");
    says(
        Called.by(EMPTY, "schema", "upgrade"),
        Exit.USAGE,
        "the DDL of 'outbox schema print' makes the tables");
    says(Called.by(EMPTY, "doctor"), Exit.FOUND, "'outbox schema print'", "--table-prefix");
  }

  @Test
  void tables_of_another_version() throws Exception {
    shop.run("UPDATE outbox_meta SET schema_version = 2");
    says(shop.call("status"), Exit.DATABASE, "Close all relays, then run 'outbox schema upgrade'");
    says(shop.call("schema", "diff"), Exit.FOUND, "'outbox schema upgrade'");
    says(shop.call("doctor"), Exit.FOUND, "'outbox schema upgrade'");
    shop.run("UPDATE outbox_meta SET schema_version = 99");
    says(shop.call("status"), Exit.DATABASE, "Use the outbox command of that version");
  }

  @Test
  void rows_that_are_missing() throws Exception {
    shop.run("DELETE FROM outbox_lane WHERE lane = 7");
    says(
        shop.call("doctor", "--role", "relay"),
        Exit.FOUND,
        "With all relays stopped run the DDL of 'outbox schema print'");
    shop.run("DELETE FROM outbox_meta");
    says(shop.call("status"), Exit.DATABASE, "is empty; the DDL of 'outbox schema print'");
  }

  @Test
  void an_optional_table_that_is_missing() throws Exception {
    shop.run("DROP TABLE outbox_archive");
    Called found = shop.call("find", MessageId.next().toString(), "--archive");
    says(found, Exit.DATABASE, "'outbox schema print --with archive'");
  }

  @Test
  void ids_that_went_back() throws Exception {
    shop.die("mails", "7", 3, "no such customer");
    shop.enqueue("mails", "7", 1);
    shop.run("ALTER TABLE outbox ALTER COLUMN id RESTART WITH 4");
    says(shop.call("doctor", "--role", "relay"), Exit.DONE, "ids-behind", "Run as the owner");
    says(
        shop.call("dead", "replay", "--all", "--yes"),
        Exit.DATABASE,
        "run the statements of 'outbox doctor --role relay' under ids-behind");
  }

  @Test
  void names_that_are_none() {
    says(
        shop.call("status", "--table-prefix", "a b"),
        Exit.USAGE,
        "--table-prefix is 'a b' (3 characters); it must begin with a letter");
    says(shop.call("status", "--schema", "a b"), Exit.USAGE, "--schema is 'a b'");
  }
}
