package dev.outbox.examples;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Transactions;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;

/** What {@link ModulePathTest} runs: one message through an in-memory H2. */
public final class ModulePathProgram {
  private ModulePathProgram() {}

  /** Prints the module that the store is in and what was published. */
  public static void main(String[] args) throws Exception {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setUrl("jdbc:h2:mem:modules;DB_CLOSE_DELAY=-1");
    Schema.builder(dataSource).create();
    JdbcStore store = JdbcStore.create(dataSource);
    Outbox outbox = Outbox.create(store);
    BlockingQueue<String> published = new LinkedBlockingQueue<>();
    Relay relay =
        Relay.builder(
                store, Publisher.blocking(envelope -> published.add(envelope.payload().text())))
            .start();
    Transactions.run(
        dataSource,
        outbox,
        connection -> outbox.enqueue(connection, Message.to("greetings").text("hello")));
    String text = published.poll(30, TimeUnit.SECONDS);
    relay.close();
    System.out.println(JdbcStore.class.getModule().getName() + " published " + text);
  }
}
