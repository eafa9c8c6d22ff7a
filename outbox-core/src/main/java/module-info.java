import org.jspecify.annotations.NullMarked;

/** The entry points, the messages, the ports for brokers and databases, and the relay engine. */
@NullMarked
module dev.outbox.core {
  requires transitive com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.datatype.jdk8;
  requires com.fasterxml.jackson.datatype.jsr310;
  requires transitive java.sql;
  requires jdk.jfr;
  requires org.slf4j;
  requires static transitive org.jspecify;

  exports dev.outbox;
  exports dev.outbox.cluster;
  exports dev.outbox.internal.connection to
      dev.outbox.jdbc;
  exports dev.outbox.internal.publish to
      dev.outbox.testkit;
  exports dev.outbox.internal.relay to
      dev.outbox.testkit;
  exports dev.outbox.internal.relay.base to
      dev.outbox.testkit;
  exports dev.outbox.internal.relay.read to
      dev.outbox.testkit;
  exports dev.outbox.internal.text to
      dev.outbox.debezium,
      dev.outbox.jdbc,
      dev.outbox.spring.boot;
  exports dev.outbox.json;
  exports dev.outbox.message;
  exports dev.outbox.publish;
  exports dev.outbox.spi;
  exports dev.outbox.spi.cluster;
  exports dev.outbox.spi.lane;
  exports dev.outbox.spi.settle;
}
