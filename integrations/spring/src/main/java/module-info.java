import org.jspecify.annotations.NullMarked;

/** Joins the transactions of Spring. */
@NullMarked
module dev.outbox.spring {
  requires transitive dev.outbox.core;
  requires transitive java.sql;
  requires transitive spring.tx;
  requires static transitive org.jspecify;
  requires spring.jdbc;

  exports dev.outbox.spring;
}
