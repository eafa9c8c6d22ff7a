import org.jspecify.annotations.NullMarked;

/** The outbox in Micrometer. */
@NullMarked
module dev.outbox.micrometer {
  requires transitive dev.outbox.core;
  requires transitive java.sql;
  requires transitive micrometer.core;
  requires org.slf4j;
  requires static transitive org.jspecify;

  exports dev.outbox.micrometer;
}
