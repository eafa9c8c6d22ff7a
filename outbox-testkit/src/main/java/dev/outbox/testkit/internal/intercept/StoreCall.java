package dev.outbox.testkit.internal.intercept;

/** What a relay asks of its session with a store. */
public enum StoreCall {
  CLAIM,
  CLAIM_DUE,
  LOOK,
  READ,
  READ_DUE,
  RELEASE,
  PROMOTE,
  SUSPECT,
  SETTLE,
  /** What changes nothing and reads no messages: ids, writers, settings of topics. */
  ASK
}
