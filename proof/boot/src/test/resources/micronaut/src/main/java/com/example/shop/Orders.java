package com.example.shop;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;

@Singleton
public class Orders {
  private final Outbox.Joined outbox;

  Orders(Outbox.Joined outbox) {
    this.outbox = outbox;
  }

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
