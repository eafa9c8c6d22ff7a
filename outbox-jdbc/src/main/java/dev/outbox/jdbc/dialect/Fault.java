package dev.outbox.jdbc.dialect;

/** What a database error means for the caller. */
public enum Fault {
  /**
   * The transaction lost a race and is run again: a deadlock, a lock wait, a serialization failure.
   */
  RETRY,
  /** The session or the server is gone: the connection is thrown away. */
  CONNECTION,
  /** The server is short of something; it may pass. */
  PASSING,
  /** The statement took longer than it may; it may pass. */
  SLOW,
  /** The session or the server only reads. */
  READ_ONLY,
  /** An earlier statement of the transaction failed, and the server takes no other one. */
  ABORTED,
  /** The pool is closed. */
  CLOSED,
  /** A table or column does not exist. */
  MISSING,
  /** What a statement of DDL makes exists, or what it drops does not. */
  EXISTS,
  /** The database user lacks a grant. */
  DENIED,
  /** A row with this key exists. */
  DUPLICATE,
  /** Anything else: the statement is refused and will be again. */
  REFUSED
}
