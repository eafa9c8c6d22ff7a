package dev.outbox.jdbc;

import dev.outbox.testkit.database.Database;

class MySqlDoctorTest extends MySqlCases {
  MySqlDoctorTest() {
    super(Database.MYSQL);
  }

  @Override
  String moreLimits() {
    return "";
  }
}
