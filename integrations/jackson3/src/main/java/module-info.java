import org.jspecify.annotations.NullMarked;

/** Payload objects as JSON by the mapper of Jackson 3. */
@NullMarked
module dev.outbox.jackson3 {
  requires transitive dev.outbox.core;
  requires transitive tools.jackson.databind;
  requires static transitive org.jspecify;

  exports dev.outbox.jackson3;
}
