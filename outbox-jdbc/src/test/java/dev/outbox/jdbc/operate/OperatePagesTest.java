package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.jdbc.DocsPage;
import dev.outbox.jdbc.internal.doctor.base.FindingCode;
import dev.outbox.message.Key;
import dev.outbox.servers.Database;
import dev.outbox.spi.lane.LaneHash;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OperatePagesTest {
  @Test
  void the_table_lists_every_finding_in_order_with_its_severity() {
    assertThat(DocsPage.OPERATE_DOCTOR.findings())
        .containsExactlyElementsOf(
            Arrays.stream(FindingCode.values())
                .map(findingCode -> findingCode.code() + " " + findingCode.severity())
                .map(row -> row.replace("FAILURE", "failure").replace("WARNING", "warning"))
                .toList());
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void the_lane_of_a_key_is_computed_by_sql_as_by_the_library(Database database)
      throws SQLException {
    try (Clinic clinic = new Clinic(database)) {
      clinic.run(
          "INSERT INTO outbox (lane, topic, msg_key) VALUES (1, 't', 'order-1'), (1, 't', 'é€😀')");

      clinic.run(DocsPage.OPERATE_FAILOVER.statements("lanes", database).get(0));

      try (Connection connection = clinic.sandbox().open();
          var rows =
              connection.createStatement().executeQuery("SELECT lane, msg_key FROM outbox")) {
        while (rows.next()) {
          Key key = new Key(rows.getString("msg_key"));
          assertThat(rows.getInt("lane")).isEqualTo(LaneHash.of(key, 64).number());
        }
      }
    }
  }
}
