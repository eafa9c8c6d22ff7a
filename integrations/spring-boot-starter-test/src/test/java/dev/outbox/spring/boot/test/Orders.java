package dev.outbox.spring.boot.test;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The code under test: its own row and the message, in one transaction. */
@Service
class Orders {
  private final JdbcTemplate jdbc;
  private final Outbox.Joined outbox;

  Orders(JdbcTemplate jdbc, Outbox.Joined outbox) {
    this.jdbc = jdbc;
    this.outbox = outbox;
  }

  @Transactional
  public void place(String id) {
    outbox.enqueue(Message.to("orders.placed").key(id).text("placed"));
    jdbc.update("insert into orders values (?)", id);
  }
}
