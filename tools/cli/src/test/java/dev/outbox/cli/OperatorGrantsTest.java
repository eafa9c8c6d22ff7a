package dev.outbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The command line as a user who has the operator's grants of docs/operate-grants.md, no other. */
@Tag("proof")
@Timeout(300)
class OperatorGrantsTest {
  private static final String ROLE = "app_operator";

  private static List<String> grants(Database database) throws Exception {
    String dialect = database == Database.POSTGRES ? "postgresql" : "mysql";
    String page = Files.readString(Path.of("../../docs/operate-grants.md"));
    return Pattern.compile(
            "<!-- grants:[^>]*\\b" + dialect + "\\b[^>]*-->\\s*```sql\\n(.*?)```", Pattern.DOTALL)
        .matcher(page)
        .results()
        .flatMap(block -> Arrays.stream(block.group(1).split(";", -1)))
        .map(String::strip)
        .filter(statement -> statement.contains(ROLE))
        .toList();
  }

  /** A user of its own, made by the administrator; the grants are the owner's. */
  private static final class Operator implements AutoCloseable {
    private final Shop shop;
    private final String name;
    private final String account;

    Operator(Database database) throws Exception {
      this.shop = new Shop(database);
      this.name = shop.sandbox.name() + "_operator";
      this.account = database == Database.POSTGRES ? name : "'" + name + "'@'%'";
      admin(
          database == Database.POSTGRES
              ? "CREATE ROLE " + name + " LOGIN PASSWORD 'secret'"
              : "CREATE USER " + account + " IDENTIFIED BY 'secret'");
      List<String> grants = grants(database);
      assertThat(grants).hasSizeGreaterThan(6);
      for (String grant : grants) {
        shop.run(grant.replace(ROLE, name));
      }
    }

    private void admin(String statement) throws SQLException {
      try (Connection admin = shop.sandbox.openAdmin();
          Statement run = admin.createStatement()) {
        run.execute(statement);
      }
    }

    /** Calls the command, which must end with that exit code. */
    Called call(int exit, String... arguments) {
      Map<String, String> variables =
          Map.of(
              "OUTBOX_URL", shop.sandbox.url(), "OUTBOX_USER", name, "OUTBOX_PASSWORD", "secret");
      Called called = Called.by(variables, arguments);
      assertThat(called.exit()).as("%s: %s", String.join(" ", arguments), called).isEqualTo(exit);
      return called;
    }

    @Override
    public void close() throws SQLException {
      shop.close(); // with what was granted
      admin((account.equals(name) ? "DROP ROLE " : "DROP USER ") + account);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void every_command_works_with_the_operators_grants(Database database) throws Exception {
    try (Operator operator = new Operator(database)) {
      Shop shop = operator.shop;
      shop.die("mails", "7", 5, "no such customer");
      shop.enqueue("mails", "8", 1);
      shop.drainFailing("the mail server is on fire");
      MessageId waiting = shop.enqueue("orders", "9", 1).get(0);
      looks(operator, waiting);
      changesOfTopics(operator);
      changesOfDeadLetters(operator);
      assertThat(operator.call(Exit.DONE, "doctor").out()).doesNotContain("grants-missing");
      operator.call(Exit.DONE, "schema", "print");
      operator.call(Exit.DONE, "schema", "upgrade", "--dry-run");
    }
  }

  private static void looks(Operator operator, MessageId waiting) {
    JsonNode status = operator.call(Exit.DONE, "status", "--json").json();
    assertThat(status.get("ready").asInt()).isEqualTo(1);
    assertThat(status.get("dead").asInt()).isEqualTo(5);
    operator.call(Exit.FOUND, "status", "--check");
    operator.call(Exit.DONE, "watch", "--times", "1");
    assertThat(operator.call(Exit.DONE, "lanes").out()).contains("Without an owner: lanes 0-31");
    assertThat(operator.call(Exit.DONE, "topics").out()).contains("mails", "orders");
    assertThat(operator.call(Exit.DONE, "held").out()).contains("the mail server is on fire");
    assertThat(operator.call(Exit.DONE, "find", waiting.toString()).out()).contains("ready");
    operator.call(Exit.FOUND, "find", MessageId.next().toString());
    assertThat(operator.call(Exit.DONE, "dead", "list").out()).contains("no such customer");
    assertThat(operator.call(Exit.DONE, "dead", "show", "1", "--payload").out())
        .contains("{\"n\":0}");
  }

  private static void changesOfTopics(Operator operator) {
    operator.call(Exit.DONE, "pause", "mails");
    operator.call(Exit.DONE, "resume", "mails");
    operator.call(Exit.DONE, "limit", "mails", "--rate", "50", "--in-flight", "4");
    operator.call(Exit.DONE, "strict", "mails", "on");
    operator.call(Exit.DONE, "strict", "mails", "off");
    operator.call(Exit.DONE, "limit", "mails", "--none");
  }

  private static void changesOfDeadLetters(Operator operator) {
    Shop shop = operator.shop;
    operator.call(Exit.DONE, "dead", "replay", "--all", "--dry-run");
    operator.call(Exit.DONE, "dead", "replay", "1", "--yes");
    operator.call(Exit.DONE, "dead", "discard", "2", "--yes");
    assertThat(shop.dead()).isEqualTo(3);
    operator.call(Exit.DONE, "dead", "discard", "--up-to", "3", "--yes");
    operator.call(Exit.DONE, "dead", "replay", "--topic", "mails", "--error", "CUSTOMER", "--yes");
    assertThat(shop.dead()).isZero();
    shop.drain();
    assertThat(shop.broker.texts("mails", "7"))
        .containsExactlyInAnyOrder("{\"n\":0}", "{\"n\":3}", "{\"n\":4}");
  }
}
