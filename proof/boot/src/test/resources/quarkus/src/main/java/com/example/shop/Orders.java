package com.example.shop;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.stream.Stream;

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

  /** One of the requests may have come before. */
  @Transactional
  public void placeOnce(String... requests) {
    outbox.enqueue(
        Stream.of(requests)
            .map(request -> Message.to("orders.placed").dedupeKey(request).key(request).text(""))
            .toList());
  }

  public void outside(String id) {
    outbox.enqueue(Message.to("orders.placed").key(id).text(id));
  }
}
