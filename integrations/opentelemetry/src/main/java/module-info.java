import org.jspecify.annotations.NullMarked;

/** Traces that go through the outbox. */
@NullMarked
module dev.outbox.opentelemetry {
  requires transitive dev.outbox.core;
  requires transitive io.opentelemetry.api;
  requires io.opentelemetry.context;
  requires org.slf4j;
  requires static transitive org.jspecify;

  exports dev.outbox.opentelemetry;
}
