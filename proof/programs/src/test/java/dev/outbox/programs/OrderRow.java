package dev.outbox.programs;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/** The order's row as an entity. */
@Entity
@Table(name = "orders")
class OrderRow {
  @Id String id = "";

  int cents;

  @Column(name = "placed_at")
  Instant placedAt = Instant.EPOCH;

  OrderRow() {}

  OrderRow(Order order) {
    this.id = order.id();
    this.cents = order.cents();
    this.placedAt = order.placedAt();
  }
}
