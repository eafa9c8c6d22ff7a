package dev.outbox.jdbc.dialect;

/** Whether a dialect is for a product. */
public enum Match {
  /** Its SQL is for this product and version. */
  SUPPORTED,
  /** The product is right, its version is too old. */
  TOO_OLD,
  /** It is another product. */
  OTHER
}
