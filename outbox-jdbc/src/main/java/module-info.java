import org.jspecify.annotations.NullMarked;

/** The store for relational databases, with its dialects, schema, inbox and doctor. */
@NullMarked
module dev.outbox.jdbc {
  requires transitive dev.outbox.core;
  requires transitive org.jdbi.v3.core;
  requires org.slf4j;
  requires static transitive org.jspecify;

  exports dev.outbox.jdbc;
}
