import org.jspecify.annotations.NullMarked;

/** The contracts that every store, relay, outbox and inbox must keep, as suites to extend. */
@NullMarked
module dev.outbox.tck {
  requires transitive dev.outbox.testkit;
  requires static transitive org.jspecify;

  exports dev.outbox.tck;

  opens dev.outbox.tck to
      org.junit.platform.commons;
  opens dev.outbox.tck.enqueue to
      org.junit.platform.commons;
  opens dev.outbox.tck.fixture to
      org.junit.platform.commons;
  opens dev.outbox.tck.inbox to
      org.junit.platform.commons;
  opens dev.outbox.tck.relay.operate to
      org.junit.platform.commons;
  opens dev.outbox.tck.relay.publish to
      org.junit.platform.commons;
  opens dev.outbox.tck.relay.row to
      org.junit.platform.commons;
  opens dev.outbox.tck.relay.thread to
      org.junit.platform.commons;
  opens dev.outbox.tck.store.append to
      org.junit.platform.commons;
  opens dev.outbox.tck.store.claim to
      org.junit.platform.commons;
  opens dev.outbox.tck.store.operate to
      org.junit.platform.commons;
  opens dev.outbox.tck.store.row to
      org.junit.platform.commons;
}
