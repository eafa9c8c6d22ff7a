package dev.outbox.programs;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.hibernate.HibernateTransactions;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Sandbox;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Hibernate without Spring. */
class HibernateProgramTest extends ProgramCases {
  @Override
  protected Program start(Sandbox sandbox, Publisher broker) {
    return new HibernateProgram(sandbox.pool(5), broker);
  }

  private static final class HibernateProgram implements Program {
    private final SessionFactory sessionFactory;
    private final Outbox outbox;
    private final Relay relay;

    HibernateProgram(DataSource dataSource, Publisher broker) {
      Schema.builder(dataSource).create();
      JdbcStore store = JdbcStore.create(dataSource);
      this.outbox = Outbox.create(store);
      this.relay = Relay.builder(store, broker).start();
      Configuration configuration = new Configuration().addAnnotatedClass(OrderRow.class);
      configuration.getProperties().put("hibernate.connection.datasource", dataSource);
      this.sessionFactory = configuration.buildSessionFactory();
    }

    @Override
    public void place(Order order) {
      sessionFactory.inTransaction(session -> write(session, order));
    }

    @Override
    public void placeAndRefuse(Order order) {
      sessionFactory.inTransaction(
          session -> {
            write(session, order);
            throw new RefusedException();
          });
    }

    @Override
    public void placeWithoutTransaction(Order order) {
      sessionFactory.inSession(session -> write(session, order));
    }

    private void write(Session session, Order order) {
      session.persist(new OrderRow(order));
      outbox
          .join(HibernateTransactions.of(session))
          .enqueue(Message.to("orders.placed").key(order.id()).payload(order));
    }

    @Override
    public void close() {
      relay.close();
      sessionFactory.close();
    }
  }
}
