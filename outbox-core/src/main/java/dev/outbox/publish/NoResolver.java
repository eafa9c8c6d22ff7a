package dev.outbox.publish;

import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import java.sql.Connection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Knows no table. */
enum NoResolver implements Resolver {
  INSTANCE;

  @Override
  public Map<Reference, Payload> resolve(Set<Reference> references, @Nullable Connection claim) {
    return Map.of();
  }

  @Override
  public boolean knows(String table) {
    return false;
  }
}
