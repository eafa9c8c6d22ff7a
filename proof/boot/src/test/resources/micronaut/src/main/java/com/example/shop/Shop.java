package com.example.shop;

import dev.outbox.jdbc.Schema;
import io.micronaut.context.ApplicationContext;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import javax.sql.DataSource;

public class Shop {
  public static void main(String[] args) throws Exception {
    try (ApplicationContext context = ApplicationContext.run()) {
      DataSource dataSource =
          DelegatingDataSource.unwrapDataSource(context.getBean(DataSource.class));
      Schema.builder(dataSource).create();
      Orders orders = context.getBean(Orders.class);
      orders.place("1", 7);
      refused(() -> orders.place("2", 0));
      refused(() -> orders.outside("3"));
      try (Connection connection = dataSource.getConnection();
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT msg_key FROM outbox")) {
        while (rows.next()) {
          System.out.println("enqueued: " + rows.getString(1));
        }
      }
    }
  }

  private static void refused(Runnable mistake) {
    try {
      mistake.run();
    } catch (RuntimeException e) {
      System.out.println("refused: " + e.getMessage());
    }
  }
}
