package com.example.shop;

import dev.outbox.jdbc.Schema;
import io.agroal.api.AgroalDataSource;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;

@QuarkusMain
public class Shop implements QuarkusApplication {
  @Inject AgroalDataSource dataSource;
  @Inject Instance<Orders> orders;

  @Override
  public int run(String... args) throws Exception {
    Schema.builder(dataSource).create();
    orders.get().place("1", 7);
    refused(() -> orders.get().place("2", 0));
    refused(() -> orders.get().outside("3"));
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT msg_key FROM outbox")) {
      while (rows.next()) {
        System.out.println("enqueued: " + rows.getString(1));
      }
    }
    return 0;
  }

  private static void refused(Runnable mistake) {
    try {
      mistake.run();
    } catch (RuntimeException e) {
      System.out.println("refused: " + e.getMessage());
    }
  }
}
