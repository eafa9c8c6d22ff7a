package dev.outbox.jdbc;

import dev.outbox.testkit.database.Database;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("it disturbs the server that others use")
class MySqlDoctorTest extends MySqlCases {
  MySqlDoctorTest() {
    super(Database.MYSQL);
  }

  @Override
  String moreLimits() {
    return "";
  }
}
