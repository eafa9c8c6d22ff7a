package dev.outbox.examples.mail;

import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import javax.sql.DataSource;

/** The relay as its own process: moves messages from the outbox to the queue. */
public final class RelayProgram {
  private final int port;

  private RelayProgram(int port) {
    this.port = port;
  }

  /** Runs a relay from the database at {@code args[0]} to the queue at port {@code args[1]}. */
  public static void main(String[] args) throws InterruptedException {
    new RelayProgram(Integer.parseInt(args[1])).run(Books.at(args[0]));
  }

  private void run(DataSource dataSource) throws InterruptedException {
    Relay relay =
        Relay.builder(JdbcStore.create(dataSource), Publisher.blocking(this::put))
            .lease(Duration.ofSeconds(3), Duration.ofSeconds(1))
            .retry(
                RetryPolicy.exponential(
                    Duration.ofMillis(100), Duration.ofSeconds(2), Duration.ofHours(1)))
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(relay::close));
    Thread.currentThread().join();
  }

  /** Returns once the queue has it on its disk: only then is the message deleted here. */
  private void put(Envelope envelope) throws IOException {
    try (Line queue = Line.to(port)) {
      queue.ask("PUT %s %s".formatted(envelope.id(), envelope.payload().text()));
    }
  }
}
