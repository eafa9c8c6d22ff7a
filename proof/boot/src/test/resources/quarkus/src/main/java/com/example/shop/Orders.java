package com.example.shop;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;

@ApplicationScoped
public class Orders {
  @Inject Outbox.Joined outbox;

  @Transactional
  public void place(String id, int cents) {
    outside(id);
    if (cents <= 0) {
      throw new IllegalArgumentException("an order of " + cents + " cents");
    }
  }

  public void outside(String id) {
    outbox.enqueue(Message.to("orders.placed").key(id).text(id));
  }
}
