package com.example.demo;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import java.time.Instant;
import org.springframework.boot.CommandLineRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class Orders implements CommandLineRunner {
  record Order(String id, Instant placed) {}

  private final JdbcTemplate jdbc;
  private final Outbox.Joined outbox;

  Orders(JdbcTemplate jdbc, Outbox.Joined outbox) {
    this.jdbc = jdbc;
    this.outbox = outbox;
  }

  @Override
  @Transactional
  public void run(String... args) {
    Order order = new Order("42", Instant.now());
    jdbc.update("INSERT INTO orders (id) VALUES (?)", order.id());
    outbox.enqueue(Message.to("orders.placed").key(order.id()).payload(order));
  }
}
