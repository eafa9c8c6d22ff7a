import org.jspecify.annotations.NullMarked;

/** The outbox in Micrometer. */
@NullMarked
module dev.outbox.micrometer {
  requires transitive dev.outbox.core;
  requires transitive java.sql;
  requires micrometer.commons;
  requires transitive micrometer.core;
  requires transitive micrometer.observation;
  requires org.slf4j;
  requires static transitive org.jspecify;

  exports dev.outbox.micrometer;
}
