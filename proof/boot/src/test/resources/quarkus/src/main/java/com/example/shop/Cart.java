package com.example.shop;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;

/** Uses the outbox for the first time, in a transaction that began before. */
@ApplicationScoped
public class Cart {
  @Inject Orders orders;

  @Transactional
  public void buy(String id) {
    orders.place(id, 7);
  }
}
