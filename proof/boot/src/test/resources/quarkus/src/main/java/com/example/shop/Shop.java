package com.example.shop;

import dev.outbox.Outbox;
import dev.outbox.Transactions;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import io.agroal.api.AgroalDataSource;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

@QuarkusMain
public class Shop implements QuarkusApplication {
  @Inject AgroalDataSource dataSource;
  @Inject Cart cart;
  @Inject Instance<Orders> orders;

  @Override
  public int run(String... args) throws Exception {
    Schema.builder(dataSource).with(Schema.Part.DEDUPE).create();
    refused(() -> cart.buy("1"));
    refused(() -> orders.get().place("2", 0));
    refused(() -> orders.get().outside("3"));
    refused(() -> orders.get().placeOnce("4"));
    refused(() -> orders.get().placeOnce("4", "5"));
    Outbox outbox = Outbox.create(JdbcStore.create(dataSource));
    for (int i = 0; i < 3; i++) {
      refused(() -> Transactions.run(dataSource, outbox, this::loseSession));
    }
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT msg_key FROM outbox")) {
      while (rows.next()) {
        System.out.println("enqueued: " + rows.getString(1));
      }
    }
    return 0;
  }

  private void loseSession(Connection lost) throws SQLException {
    try (Connection other = dataSource.getConnection();
        Statement statement = lost.createStatement();
        Statement ending = other.createStatement();
        ResultSet session = statement.executeQuery("SELECT SESSION_ID()")) {
      session.next();
      ending.execute("CALL ABORT_SESSION(" + session.getInt(1) + ")");
      statement.execute("SELECT 1");
    }
  }

  private interface Mistake {
    void run() throws SQLException;
  }

  private static void refused(Mistake mistake) {
    try {
      mistake.run();
    } catch (RuntimeException | SQLException e) {
      System.out.println("refused: " + e.getMessage());
    }
  }
}
