package dev.outbox.servers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeadlockLogTest {
  private static final String MARK = "deadlock detected";

  private static DeadlockLog log(String text) {
    return new DeadlockLog(text, MARK);
  }

  @Test
  void a_log_without_the_mark_has_no_report() {
    assertThat(log("ready for connections\n").reports()).isEmpty();
  }

  @Test
  void each_mark_begins_a_report_that_goes_on_to_the_next() {
    String text = "ready\n" + MARK + " on outbox_topic\n" + MARK + " on outbox_lane\n";

    assertThat(log(text).reports()).containsExactly(" on outbox_topic\n", " on outbox_lane\n");
  }

  @Test
  void one_on_the_servers_own_tables_counts_too() {
    assertThat(log(MARK + "\nof table `mysql`.`innodb_table_stats`\n").reports()).hasSize(1);
  }
}
