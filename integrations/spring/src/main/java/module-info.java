import org.jspecify.annotations.NullMarked;

/** Joins the transactions of Spring. */
@NullMarked
module dev.outbox.spring {
  requires transitive dev.outbox.core;
  requires transitive java.sql;
  requires transitive spring.tx;
  requires static transitive org.jspecify;
  requires spring.jdbc;
  // only to ask JPA whether its transaction is active
  requires static jakarta.persistence;
  requires static spring.orm;

  exports dev.outbox.spring;
}
