package dev.outbox.migration;

import com.example.OrderPlaced;
import dev.outbox.servers.Sandbox;
import java.util.List;
import java.util.stream.IntStream;

/** An outbox that an application had before. Stateless. */
interface Origin {
  /** How many of its messages it delivers itself; it fails at all later ones. */
  int DELIVERED = 4;

  int ALL = 20;

  /** Has the library make its tables, enqueue {@code ALL} orders and deliver the first. */
  void fill(Sandbox sandbox) throws Exception;

  /** The query for ids, as text, of all rows that are in the old table. */
  String ids();

  /** Whether the old table knows in which order the messages of a key were written. */
  boolean keepsOrder(boolean isPostgres);

  static List<OrderPlaced> orders() {
    return IntStream.rangeClosed(1, ALL)
        .mapToObj(number -> new OrderPlaced("customer-" + number % 3, number))
        .toList();
  }

  static String json(OrderPlaced order) {
    return "{\"customer\":\"%s\",\"number\":%d}".formatted(order.customer(), order.number());
  }
}
