package dev.outbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Claiming;
import dev.outbox.jdbc.Schema;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tables are compared with what is asked for, and else with what they were made as. */
class SchemaCommandTest {
  private Sandbox sandbox;

  @BeforeEach
  void open() {
    sandbox = Database.H2.server().sandbox();
  }

  @AfterEach
  void close() {
    sandbox.close();
  }

  private Called call(String... arguments) {
    Map<String, String> variables =
        Map.of(
            "OUTBOX_URL", sandbox.url(),
            "OUTBOX_USER", sandbox.user(),
            "OUTBOX_PASSWORD", sandbox.password());
    return Called.by(variables, arguments);
  }

  private Called diff(String... options) {
    String[] call = new String[options.length + 3];
    System.arraycopy(new String[] {"schema", "diff", "--json"}, 0, call, 0, 3);
    System.arraycopy(options, 0, call, 3, options.length);
    return call(call);
  }

  private static List<String> differences(Called called) {
    assertThat(called.exit()).as(called.err()).isIn(Exit.DONE, Exit.FOUND);
    List<String> all =
        StreamSupport.stream(called.json().get("differences").spliterator(), false)
            .map(each -> each.asText())
            .toList();
    assertThat(called.exit()).isEqualTo(all.isEmpty() ? Exit.DONE : Exit.FOUND);
    return all;
  }

  @Test
  void another_number_of_lanes_is_a_difference() {
    Schema.builder(sandbox.pool()).lanes(64).create();
    assertThat(differences(diff())).isEmpty();
    assertThat(differences(diff("--lanes", "64", "--claiming", "lanes"))).isEmpty();
    assertThat(differences(diff("--lanes", "7")))
        .containsExactly("the tables have 64 lanes, --lanes is 7");
  }

  @Test
  void another_way_to_claim_is_a_difference() {
    Schema.builder(sandbox.pool()).claiming(Claiming.ROWS).create();
    assertThat(differences(diff())).isEmpty();
    assertThat(differences(diff("--claiming", "rows"))).isEmpty();
    assertThat(differences(diff("--claiming", "lanes")))
        .containsExactly("the tables are claimed by rows, --claiming is lanes");
  }

  @Test
  void what_no_tables_can_be_is_refused() {
    Schema.builder(sandbox.pool()).create();
    Called none = diff("--lanes", "0");
    assertThat(none.exit()).isEqualTo(Exit.USAGE);
    assertThat(none.err()).contains("--lanes is 0, it must be 1 to");
    Called both = diff("--claiming", "rows", "--lanes", "7");
    assertThat(both.exit()).isEqualTo(Exit.USAGE);
    assertThat(both.err()).contains("--claiming rows has one lane, --lanes is 7; leave it out");
  }

  @Test
  void missing_tables_are_the_difference_and_not_their_lanes() {
    assertThat(differences(diff("--lanes", "7"))).contains("table outbox is missing");
  }

  @Test
  void tables_that_differ_after_an_upgrade_are_a_finding() throws Exception {
    Schema.builder(sandbox.pool()).create();
    try (var connection = sandbox.open();
        var statement = connection.createStatement()) {
      statement.execute("DROP INDEX outbox_dead_topics");
    }
    assertDiffers(call("schema", "upgrade"));
    assertThat(call("schema", "upgrade", "--dry-run").exit()).isEqualTo(Exit.DONE);
    try (var connection = sandbox.open();
        var statement = connection.createStatement()) {
      statement.execute("UPDATE outbox_meta SET schema_version = 2");
    }
    assertDiffers(call("schema", "upgrade"));
  }

  private static void assertDiffers(Called upgraded) {
    assertThat(upgraded.out())
        .contains(
            "the tables are of this version, but not as they should be:", "! table outbox_dead");
    assertThat(upgraded.exit()).as(upgraded.err()).isEqualTo(Exit.FOUND);
  }

  @Test
  void a_dry_run_prints_the_statements_that_an_upgrade_would_run() throws Exception {
    Schema.builder(sandbox.pool()).create();
    assertThat(call("schema", "upgrade", "--dry-run").out())
        .isEqualTo("-- dry run: nothing was changed\n");
    try (var connection = sandbox.open();
        var statement = connection.createStatement()) {
      statement.execute("ALTER TABLE outbox_lane DROP COLUMN lease_micros");
      statement.execute("UPDATE outbox_meta SET schema_version = 2");
      String shown = call("schema", "upgrade", "--dry-run").out();
      assertThat(shown)
          .contains("-- ! column outbox_lane.lease_micros is missing")
          .contains("ALTER TABLE outbox_lane ADD COLUMN");
      assertThat(call("schema", "upgrade", "--dry-run", "--json").json().get("ddl").asText())
          .startsWith("-- From schema version 2 to 3")
          .endsWith("WHERE schema_version = 2;");
      assertThat(call("schema", "diff").exit()).as("nothing was changed").isEqualTo(Exit.FOUND);
      statement.execute(shown);
      assertThat(call("schema", "diff").exit()).isEqualTo(Exit.DONE);
    }
  }

  /** What a dry run prints may be run as SQL, and PostgreSQL's driver says texts as they are. */
  @Test
  void a_difference_of_several_lines_is_all_comment_in_a_dry_run() throws Exception {
    sandbox.close();
    sandbox = Database.POSTGRES.server().sandbox();
    Schema.builder(sandbox.pool()).create();
    try (var connection = sandbox.open();
        var statement = connection.createStatement()) {
      statement.execute("ALTER TABLE outbox_meta ALTER COLUMN lanes TYPE text");
      statement.execute("UPDATE outbox_meta SET lanes = E'many\\nDROP TABLE outbox'");
    }
    String shown = call("schema", "upgrade", "--dry-run").out();
    assertThat(shown).contains("DROP TABLE outbox");
    assertThat(shown.lines()).allMatch(line -> line.startsWith("--"));
  }
}
