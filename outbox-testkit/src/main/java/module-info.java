import org.jspecify.annotations.NullMarked;

/** Everything to test a publisher, a consumer or a whole flow. */
@NullMarked
module dev.outbox.testkit {
  requires transitive dev.outbox.core;
  requires transitive org.assertj.core;
  requires transitive org.junit.jupiter.api;
  requires transitive org.junit.jupiter.params;
  requires static transitive org.jspecify;

  exports dev.outbox.testkit;
  exports dev.outbox.testkit.assertj;
  exports dev.outbox.testkit.contract;
  exports dev.outbox.testkit.crash;
  exports dev.outbox.testkit.internal to
      dev.outbox.tck;
  exports dev.outbox.testkit.internal.intercept to
      dev.outbox.tck;
  exports dev.outbox.testkit.junit;
  exports dev.outbox.testkit.network;
  exports dev.outbox.testkit.history;
  exports dev.outbox.testkit.schedule;

  opens dev.outbox.testkit.contract to
      org.junit.platform.commons;
}
