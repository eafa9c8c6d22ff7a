import org.jspecify.annotations.NullMarked;

/** Joins the transaction of a jOOQ configuration. */
@NullMarked
module dev.outbox.jooq {
  requires transitive dev.outbox.core;
  requires transitive org.jooq;
  requires static transitive org.jspecify;

  exports dev.outbox.jooq;
}
