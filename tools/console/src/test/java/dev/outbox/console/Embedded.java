package dev.outbox.console;

import dev.outbox.Relay;
import dev.outbox.jdbc.Schema;
import dev.outbox.spi.OutboxStore;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The code of docs/console.md. */
final class Embedded {
  private Embedded() {}

  static OutboxConsole start(OutboxStore store, Schema schema, Relay relay) {
    OutboxConsole console =
        OutboxConsole.builder(store)
            .relay(relay) // also shows which brokers are down
            .schema(schema::verify)
            .operate() // without it the page only shows
            .start();
    System.out.println("Operators: " + console.url()); // with the token
    return console;
  }

  static ConsoleResponse mounted(
      OutboxStore store, UnaryOperator<@Nullable String> sessions, ConsoleRequest asked) {
    OutboxConsole mounted =
        OutboxConsole.builder(store)
            .users(request -> sessions.apply(request.header("Cookie"))) // your own log-in
            .mount();
    ConsoleResponse response = mounted.answer(asked);
    return response;
  }
}
