package dev.outbox.jdbc.sql;

/** What is made of a statement's texts. */
public enum Kind {
  TEXT,
  APPEND,
  BY_IDS,
  BY_SOURCE,
  CLAIM,
  DEAD,
  FENCE,
  KEYS,
  LANES,
  LIMITS,
  LOCK,
  NEXT_ID,
  ONCE,
  PURGE,
  SLOTS,
  WRITERS;

  Object of(Texts texts, Statement statement) {
    String name = statement.file() + "/" + statement.textName();
    return switch (this) {
      case TEXT -> Shapes.text(texts, name);
      case APPEND -> Shapes.append(texts, name);
      case BY_IDS -> Shapes.byIds(texts, name);
      case BY_SOURCE -> Shapes.bySource(texts, name);
      case CLAIM -> Shapes.claim(texts, name);
      case DEAD -> Shapes.dead(texts, name);
      case FENCE -> Shapes.fence(texts, name);
      case KEYS -> Shapes.keys(texts, name);
      case LANES -> Shapes.lanes(texts, name);
      case LIMITS -> Shapes.limits(texts, name);
      case LOCK -> Shapes.lock(texts, name);
      case NEXT_ID -> Shapes.nextId(texts, name);
      case ONCE -> Shapes.once(texts, name);
      case PURGE -> Shapes.purge(texts, name);
      case SLOTS -> Shapes.slots(texts, name);
      case WRITERS -> Shapes.writers(texts, name);
    };
  }
}
