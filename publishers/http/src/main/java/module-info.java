import org.jspecify.annotations.NullMarked;

/** A publisher to HTTP endpoints. */
@NullMarked
module dev.outbox.http {
  requires transitive dev.outbox.core;
  requires transitive java.net.http;
  requires static transitive org.jspecify;

  exports dev.outbox.http;
}
