package dev.outbox.programs;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.jooq.JooqTransactions;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Sandbox;
import java.time.ZoneOffset;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** jOOQ with its own transactions. */
class JooqProgramTest extends ProgramCases {
  @Override
  protected Program start(Sandbox sandbox, Publisher broker) {
    return new JooqProgram(sandbox.pool(5), broker);
  }

  private static final class JooqProgram implements Program {
    private final DSLContext create;
    private final Outbox outbox;
    private final Relay relay;

    JooqProgram(DataSource dataSource, Publisher broker) {
      Schema.builder(dataSource).create();
      JdbcStore store = JdbcStore.create(dataSource);
      this.outbox = Outbox.create(store);
      this.relay = Relay.builder(store, broker).start();
      DSLContext plain = DSL.using(dataSource, SQLDialect.POSTGRES);
      this.create = DSL.using(plain.configuration().deriveAppending(JooqTransactions.listener()));
    }

    @Override
    public void place(Order order) {
      create.transaction(transaction -> write(transaction, order));
    }

    @Override
    public void placeAndRefuse(Order order) {
      create.transaction(
          transaction -> {
            write(transaction, order);
            throw new RefusedException();
          });
    }

    @Override
    public void placeWithoutTransaction(Order order) {
      outbox.join(JooqTransactions.of(create.configuration())).enqueue(message(order));
    }

    private void write(Configuration transaction, Order order) {
      transaction
          .dsl()
          .insertInto(table("orders"), field("id"), field("cents"), field("placed_at"))
          .values(order.id(), order.cents(), order.placedAt().atOffset(ZoneOffset.UTC))
          .execute();
      outbox.join(JooqTransactions.of(transaction)).enqueue(message(order));
    }

    private static Message message(Order order) {
      return Message.to("orders.placed").key(order.id()).payload(order);
    }

    @Override
    public void close() {
      relay.close();
    }
  }
}
