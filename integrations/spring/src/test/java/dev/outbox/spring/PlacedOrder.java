package dev.outbox.spring;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PreUpdate;
import jakarta.persistence.Table;
import jakarta.persistence.Transient;

/** An order as an entity, with what listens to its changes. */
@Entity
@Table(name = "orders")
class PlacedOrder {
  @Id int id;
  boolean paid;
  @Transient Runnable listener = () -> {};

  PlacedOrder() {}

  PlacedOrder(int id) {
    this.id = id;
  }

  @PreUpdate
  void changes() {
    listener.run();
  }
}
