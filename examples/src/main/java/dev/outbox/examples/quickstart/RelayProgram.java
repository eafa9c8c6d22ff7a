package dev.outbox.examples.quickstart;

import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RetryPolicy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import javax.sql.DataSource;

/**
 * The relay as its own process, so that it can be killed like one. Its broker connection is a pair
 * of pipes: a line for every message on standard output, the broker's answer on standard input.
 */
public final class RelayProgram {
  private final PrintStream toBroker = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final BufferedReader fromBroker =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

  private RelayProgram() {}

  /** Runs a relay over the database at {@code args[0]} until the process is ended. */
  public static void main(String[] args) throws Exception {
    new RelayProgram().run(Databases.at(args[0]));
  }

  private void run(DataSource dataSource) throws InterruptedException {
    JdbcStore store = JdbcStore.create(dataSource);
    Relay relay =
        Relay.builder(store, Publisher.blocking(this::send))
            .lease(Duration.ofSeconds(3), Duration.ofSeconds(1))
            .retry(
                RetryPolicy.exponential(
                    Duration.ofMillis(100), Duration.ofSeconds(5), Duration.ofHours(1)))
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(relay::close));
    Thread.currentThread().join();
  }

  /** One message, one answer: the pipe is the broker's connection, so one sender at a time. */
  private synchronized void send(Envelope envelope) throws IOException {
    String payload = Base64.getEncoder().encodeToString(envelope.payload().bytes());
    toBroker.println(
        "%s %s %s %s".formatted(envelope.id(), envelope.topic(), envelope.key(), payload));
    String answer = fromBroker.readLine();
    if (answer == null) {
      Runtime.getRuntime().halt(1);
    }
    if (!"OK".equals(answer)) {
      throw new IOException("the broker said " + answer);
    }
  }
}
