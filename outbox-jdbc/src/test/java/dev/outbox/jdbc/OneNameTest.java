package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.outbox.Claiming;
import dev.outbox.OutboxException;
import dev.outbox.Relay;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** A relay has one name, in its log, its threads, its tables and what it throws. */
@ResourceLock(Resources.SYSTEM_ERR)
class OneNameTest {
  private static final Pattern NAME = Pattern.compile("relay=\\S+");
  private static final Publisher PUBLISHER = Publisher.blocking(envelope -> {});

  @Test
  void every_line_of_a_relay_has_its_one_name_also_the_warning_before_it_starts() {
    try (Sandbox sandbox = Database.POSTGRES.sandbox()) {
      Schema.builder(sandbox.dataSource()).create();
      JdbcStore store = JdbcStore.create(sandbox.pool(1)); // which the relay empties
      String[] name = new String[1];
      List<String> lines =
          logged(
              () -> {
                try (Relay relay = Relay.builder(store, PUBLISHER).name("orders").start()) {
                  name[0] = relay.name();
                }
              });

      assertThat(name[0]).startsWith("orders-");
      assertThat(lines).anyMatch(line -> line.contains("starts with a warning: pool-emptied"));
      assertThat(lines)
          .anyMatch(
              line ->
                  line.endsWith(
                      "relay=%s started: 32 lanes, publisher BlockingPublisher; a message may be delivered twice after a crash"
                          .formatted(name[0])));
      assertThat(lines)
          .filteredOn(line -> line.contains("relay=orders-"))
          .flatExtracting(line -> NAME.matcher(line).results().map(found -> found.group()).toList())
          .hasSizeGreaterThan(2)
          .containsOnly("relay=" + name[0]);
    }
  }

  @Test
  void a_refused_start_names_it_as_the_log_does() {
    try (Sandbox sandbox = Database.POSTGRES.sandbox()) {
      Schema.builder(sandbox.dataSource()).claiming(Claiming.ROWS).create();
      JdbcStore store = JdbcStore.create(sandbox.pool(1)); // two workers need three

      OutboxException refused =
          catchThrowableOfType(
              OutboxException.class, () -> Relay.builder(store, PUBLISHER).start());

      assertThat(refused).hasMessageMatching("(?s)relay=relay-[0-9a-f]{8} cannot start:.*");
    }
  }

  private static List<String> logged(Runnable call) {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      call.run();
    } finally {
      System.setErr(before);
    }
    return log.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
