import org.jspecify.annotations.NullMarked;

/** Starts the real database servers that our own tests, examples and benchmarks run on. */
@NullMarked
module dev.outbox.servers {
  requires transitive java.sql;
  requires jdk.httpserver;
  requires static transitive org.jspecify;

  exports dev.outbox.servers;
}
