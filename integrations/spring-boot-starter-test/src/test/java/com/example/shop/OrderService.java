package com.example.shop;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The code under test: its own row and the message, in one transaction. */
@Service
class OrderService {
  record Order(String id, int cents) {}

  private final JdbcTemplate jdbc;
  private final Outbox.Joined outbox;

  OrderService(JdbcTemplate jdbc, Outbox.Joined outbox) {
    this.jdbc = jdbc;
    this.outbox = outbox;
  }

  @Transactional
  public void place(String id, int cents) {
    jdbc.update("INSERT INTO orders (id, cents) VALUES (?, ?)", id, cents);
    outbox.enqueue(Message.to("orders.placed").key(id).payload(new Order(id, cents)));
    if (cents <= 0) {
      throw new IllegalArgumentException("an order of " + cents + " cents"); // rolls both back
    }
  }
}
