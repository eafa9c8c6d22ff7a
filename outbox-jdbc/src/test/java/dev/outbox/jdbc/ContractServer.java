package dev.outbox.jdbc;

import dev.outbox.servers.Database;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The contracts of MySQL and MariaDB run on servers of their own, one class at a time. They count
 * the deadlocks of the server, and they wait for its list of writers, which the server makes again
 * only when nobody has read it for a while: classes beside them on the same server would disturb
 * both. They come first, because they take longest.
 */
final class ContractServer {
  private ContractServer() {}

  static JdbcStores stores(Database database, String laneSql) {
    return new JdbcStores(OwnServers.OF_CONTRACTS.on(database).sandbox(), null, laneSql);
  }

  /** A contract that runs on MySQL. */
  @Target(ElementType.TYPE)
  @Retention(RetentionPolicy.RUNTIME)
  @ResourceLock("the contracts' server of MySQL")
  @Order(1)
  @interface OfMySql {}

  /** A contract that runs on MariaDB. */
  @Target(ElementType.TYPE)
  @Retention(RetentionPolicy.RUNTIME)
  @ResourceLock("the contracts' server of MariaDB")
  @Order(1)
  @interface OfMariaDb {}
}
