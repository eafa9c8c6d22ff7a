import org.jspecify.annotations.NullMarked;

/** The store for relational databases, with its dialects, schema, inbox and doctor. */
@NullMarked
module dev.outbox.jdbc {
  requires transitive dev.outbox.core;
  requires transitive org.jdbi.v3.core;
  // jdbi is an automatic module, which cannot ask for what it needs
  requires io.leangen.geantyref;
  requires org.slf4j;
  // only to see the size of a pool, its properties, and whether it was closed
  requires static com.zaxxer.hikari;
  // only PostgresWakeup and what looks for a pooler need the driver
  requires static org.postgresql.jdbc;
  requires static transitive org.jspecify;

  exports dev.outbox.jdbc;
}
