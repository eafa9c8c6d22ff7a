package com.example.shop;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import java.time.Instant;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class OrderService {
  private final JdbcTemplate jdbc;
  private final Outbox.Joined outbox;

  public OrderService(JdbcTemplate jdbc, Outbox.Joined outbox) {
    this.jdbc = jdbc;
    this.outbox = outbox;
  }

  @Transactional
  public Order place(String id, int cents) {
    Order order = new Order(id, cents, Instant.now());
    jdbc.update("INSERT INTO orders (id, cents) VALUES (?, ?)", id, cents);
    outbox.enqueue(Message.to("orders.placed").key(id).payload(order));
    if (cents <= 0) {
      throw new IllegalArgumentException("an order of " + cents + " cents"); // rolls both back
    }
    return order;
  }
}
