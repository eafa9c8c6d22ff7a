package dev.outbox.examples.quickstart;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.examples.quickstart.Orders.Order;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.MessageId;
import dev.outbox.testkit.InMemoryBroker;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * The whole product in ten seconds: an order service commits and rolls back, a relay process
 * publishes, one publish fails and is retried, the relay is killed in the middle of a batch, and
 * another one takes over.
 */
public final class Quickstart {
  private static final int ORDERS = 200;
  private static final int CUSTOMERS = 20;
  private static final int EVERY_NINTH = 9;
  private static final int KILL_AT = 70;

  private final InMemoryBroker broker = InMemoryBroker.create();
  private final BrokerDoor door = new BrokerDoor(broker);
  private final Set<MessageId> committed = new LinkedHashSet<>();
  private final Story story = new Story(System.out);
  private int rolledBack;

  private Quickstart() {}

  /** Runs it; exit code 1 if a message is lost or one is published that was never committed. */
  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory("outbox-quickstart");
    String url = Databases.urlIn(folder);
    Tally tally;
    try (HikariDataSource dataSource = Databases.at(url)) {
      tally = new Quickstart().run(dataSource, url);
    } finally {
      delete(folder);
    }
    System.exit(tally.isClean() ? 0 : 1);
  }

  private Tally run(DataSource dataSource, String url) throws Exception {
    createTables(dataSource);
    placeOrders(new Orders(dataSource, Outbox.create(JdbcStore.create(dataSource))));
    story.tell("An order service committed %d orders and rolled back %d.", ORDERS, rolledBack);

    broker.failNext(1, new IOException("busy"));
    story.tell("A relay starts, in a process of its own. The broker refuses one message.");
    RelayProcess.startAndKillAt(url, door, KILL_AT).awaitDeath();
    story.tell("The relay was killed (SIGKILL) in mid-batch, at message %d.", KILL_AT);

    story.tell("Another relay starts. It takes over when the dead one's leases end.");
    takeOver(url);
    Tally tally = Tally.of(committed, rolledBack, door.refusals(), broker);
    story.end(tally);
    return tally;
  }

  private void takeOver(String url) throws InterruptedException {
    RelayProcess second = RelayProcess.start(url, door);
    try {
      broker.awaitIds(committed.size(), Duration.ofSeconds(30));
      story.tell("Everything has arrived.");
    } catch (AssertionError tooFew) {
      story.tell("Not everything has arrived: %s.", String.valueOf(tooFew.getMessage()));
    } finally {
      second.close();
    }
  }

  private static void createTables(DataSource dataSource) throws SQLException {
    Schema.builder(dataSource).create();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (number INTEGER PRIMARY KEY, customer VARCHAR(40))");
      connection.commit();
    }
  }

  private void placeOrders(Orders orders) throws SQLException {
    for (int number = 1; number <= ORDERS; number++) {
      String customer = "customer-" + number % CUSTOMERS;
      committed.add(orders.place(new Order(number, customer)));
      if (number % EVERY_NINTH == 0) {
        orders.placeAndRollBack(new Order(ORDERS + number, customer));
        rolledBack++;
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    List<File> files;
    try (Stream<Path> paths = Files.walk(folder)) {
      files = paths.sorted(Comparator.reverseOrder()).map(Path::toFile).toList();
    }
    files.forEach(File::delete);
  }
}
