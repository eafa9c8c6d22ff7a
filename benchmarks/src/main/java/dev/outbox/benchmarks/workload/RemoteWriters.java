package dev.outbox.benchmarks.workload;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.benchmarks.measure.JavaProcess;
import dev.outbox.benchmarks.workload.Writers.Committed;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.PostgresWakeup;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Sandbox;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Writers in their own process: told by a line what to write, they answer with a line for each
 * message and an empty one.
 */
final class RemoteWriters implements AutoCloseable {
  private final Process process;
  private final PrintStream orders;
  private final BufferedReader answers;

  private RemoteWriters(Process process) {
    this.process = process;
    this.orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static RemoteWriters start(Sandbox sandbox) throws IOException {
    List<String> arguments = List.of(sandbox.url(), sandbox.user(), sandbox.password());
    return new RemoteWriters(JavaProcess.of("512m", RemoteWriters.class, arguments).start());
  }

  List<Committed> write(int perSecond, Duration length) throws IOException {
    orders.println(perSecond + " " + length.toMillis());
    List<Committed> committed = new ArrayList<>();
    for (String line = answer(); !line.isEmpty(); line = answer()) {
      String[] parts = line.split(" ", -1);
      committed.add(
          new Committed(
              new MessageId(UUID.fromString(parts[0])),
              Long.parseLong(parts[1]),
              Long.parseLong(parts[2])));
    }
    return committed;
  }

  private String answer() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("the writing process has ended");
    }
    return line;
  }

  @Override
  public void close() throws IOException {
    orders.close();
    answers.close();
    process.destroy();
  }

  /** The other process. */
  public static void main(String[] arguments) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(arguments[0]);
    config.setUsername(arguments[1]);
    config.setPassword(arguments[2]);
    try (HikariDataSource pool = new HikariDataSource(config);
        PostgresWakeup wakeup = PostgresWakeup.create(pool);
        BufferedReader orders =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      Outbox outbox = Outbox.create(JdbcStore.builder(pool).wakeup(wakeup).build());
      Writers writers = new Writers(pool, outbox, Writers.Way.ADAPTER);
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        String[] parts = order.split(" ", -1);
        Duration length = Duration.ofMillis(Long.parseLong(parts[1]));
        writers
            .write(Integer.parseInt(parts[0]), length)
            .forEach(
                each ->
                    System.out.println(
                        each.id().value() + " " + each.called() + " " + each.returned()));
        System.out.println();
      }
    }
  }
}
