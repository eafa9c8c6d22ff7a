package dev.outbox.servers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeadlockLogTest {
  private static final String MARK = "deadlock detected";

  private static DeadlockLog log(String... reports) {
    StringBuilder log = new StringBuilder("ready for connections\n");
    for (String report : reports) {
      log.append(MARK).append(report);
    }
    return new DeadlockLog(log.toString(), MARK);
  }

  private static String ofTable(String schema, String table) {
    return "\nindex PRIMARY of table `%s`.`%s` trx id 7\n".formatted(schema, table);
  }

  @Test
  void a_log_without_the_mark_has_no_report() {
    assertThat(log().reports()).isEmpty();
  }

  @Test
  void a_deadlock_on_a_table_of_ours_is_reported_also_when_the_server_has_a_part_in_it() {
    String ours = ofTable("outbox_1", "outbox_topic");

    assertThat(log(ours, ours + ofTable("mysql", "innodb_table_stats")).reports()).hasSize(2);
  }

  @Test
  void one_among_the_servers_own_statistics_is_not() {
    String own = ofTable("mysql", "innodb_table_stats") + ofTable("mysql", "innodb_index_stats");

    assertThat(log(own).reports()).isEmpty();
  }

  @Test
  void one_that_names_no_table_is_reported() {
    assertThat(log("\n").reports()).hasSize(1);
  }
}
