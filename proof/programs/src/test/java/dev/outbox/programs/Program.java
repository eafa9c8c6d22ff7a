package dev.outbox.programs;

/** A service that places orders and tells others of them, written as its framework wants it. */
public interface Program extends AutoCloseable {
  /** Writes the order and its message in one transaction. */
  void place(Order order) throws Exception;

  /** The same, but the business refuses it after both were written. */
  void placeAndRefuse(Order order) throws Exception;

  /** Enqueues where no transaction is active: the mistake of everybody's first day. */
  void placeWithoutTransaction(Order order) throws Exception;

  /** Stops the relay and then what it needs. */
  @Override
  void close();

  /** The business refused an order. */
  final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RefusedException() {
      super("refused");
    }
  }
}
