package dev.outbox.testkit.internal.kit;

import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.testkit.internal.intercept.InterceptedStore;
import java.sql.Connection;
import java.util.List;

/** A store whose new messages are seen. Safe for use by many threads, as the one behind it. */
public final class SeenStore extends InterceptedStore {
  private final SeenMessages seen;

  public SeenStore(OutboxStore store, SeenMessages seen) {
    super(store);
    this.seen = seen;
  }

  @Override
  public void append(Connection transaction, List<NewEnvelope> messages) {
    super.append(transaction, messages);
    seen.written(messages.stream().map(NewEnvelope::envelope).toList());
  }
}
