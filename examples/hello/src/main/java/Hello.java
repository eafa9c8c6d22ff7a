import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;

public class Hello {
  record Order(String id, int cents) {}

  static final CountDownLatch SENT = new CountDownLatch(1);

  public static void main(String[] args) throws Exception {
    HikariDataSource dataSource = new HikariDataSource(); // your pool
    dataSource.setJdbcUrl(args.length > 0 ? args[0] : "jdbc:h2:mem:hello");
    Schema.builder(dataSource).create(); // makes the tables of the outbox, once
    JdbcStore store = JdbcStore.create(dataSource);
    Outbox outbox = Outbox.create(store);

    try (dataSource;
        Relay relay = Relay.builder(store, Publisher.blocking(Hello::send)).start();
        Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS orders (id VARCHAR(40), cents INT)");
      connection.setAutoCommit(false);
      statement.execute("INSERT INTO orders VALUES ('42', 1999)");
      Order order = new Order("42", 1999);
      outbox.enqueue(connection, Message.to("orders.placed").key("42").payload(order));
      connection.commit(); // both or neither
      outbox.wake(); // the relay looks at once, instead of within a second
      SENT.await();
    } // closes the relay, then the pool
  }

  /** Your broker's client goes here. If it throws, the relay tries again later. */
  static void send(Envelope envelope) {
    System.out.println(envelope.topic() + " " + envelope.key() + " " + envelope.payload().text());
    SENT.countDown();
  }
}
