package dev.outbox.internal.relay.topic;

import dev.outbox.internal.relay.base.ErrorText;

/** Why a message counts as failed though its sends ended in an outage. */
public final class LoneOutage extends Exception {
  private static final long serialVersionUID = 1L;

  LoneOutage(int ends, Throwable last) {
    super(
        "%d sends of this message ended in an outage while others of its topic were delivered: %s"
            .formatted(ends, ErrorText.of(last)),
        last);
  }
}
