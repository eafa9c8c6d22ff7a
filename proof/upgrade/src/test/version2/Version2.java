import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.sql.Connection;
import java.time.Duration;

/**
 * A program on a build of schema version 2, as its users wrote it. It prints one line for each
 * thing it has done: what was {@code published}, how many were {@code written}, or what it was
 * {@code refused}. Run as a single source file with the jars of that build.
 */
class Version2 {
  public static void main(String[] arguments) throws Exception {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(arguments[1]);
    pool.setUsername(arguments[2]);
    pool.setPassword(arguments[3]);
    pool.setMaximumPoolSize(4);
    switch (arguments[0]) {
      case "create" -> Schema.of(pool).create();
      case "open" -> open(pool);
      case "write" -> write(pool);
      default -> relay(pool);
    }
    Runtime.getRuntime().halt(0);
  }

  private static void open(HikariDataSource pool) {
    try {
      JdbcStore.create(pool);
      System.out.println("opened");
    } catch (RuntimeException refused) {
      System.out.println("refused " + refused.getMessage());
    }
  }

  /** For each line of its input, the first and the last number to write. */
  private static void write(HikariDataSource pool) throws Exception {
    Outbox outbox = Outbox.create(JdbcStore.create(pool));
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] range = line.split(" ");
      for (int number = Integer.parseInt(range[0]); number <= Integer.parseInt(range[1]); number++) {
        try (Connection connection = pool.getConnection()) {
          connection.setAutoCommit(false);
          outbox.enqueue(connection, Message.to("t").key("k" + number % 3).text("" + number));
          connection.commit();
        }
      }
      System.out.println("written " + line);
    }
  }

  /** Slow, so that it leaves something. */
  private static void relay(HikariDataSource pool) throws Exception {
    Publisher publisher =
        Publisher.blocking(
            envelope -> {
              Thread.sleep(100);
              System.out.println("published " + envelope.payload().text());
            });
    try (Relay relay =
        Relay.builder(JdbcStore.create(pool), publisher)
            .lease(Duration.ofSeconds(3), Duration.ofSeconds(1))
            .start()) {
      System.in.read();
    }
  }
}
