package dev.outbox.jdbc.internal.doctor.base;

import dev.outbox.Claiming;
import dev.outbox.spi.Usage;
import java.util.ArrayList;
import java.util.List;

/** What a role does to the tables: the least privilege that it needs. */
public final class RequiredGrants {
  private RequiredGrants() {}

  /** A verb on a table; {@code column} is one that a probe can name. */
  public record Right(Verb verb, String table, String column) {}

  /** What is done to a table. {@code LOCK} is {@code SELECT ... FOR UPDATE}. */
  public enum Verb {
    SELECT,
    INSERT,
    UPDATE,
    DELETE,
    LOCK
  }

  /** Of the only cluster, which has no tables to tell others something. */
  public static List<Right> alone(Usage usage) {
    return amongPeers(usage).stream()
        .filter(right -> !right.table().equals("beat") && !right.table().equals("takeover"))
        .toList();
  }

  /** Where there are several clusters. */
  public static List<Right> amongPeers(Usage usage) {
    List<Right> rights = new ArrayList<>();
    add(rights, "meta", "lanes", Verb.SELECT);
    switch (usage.role()) {
      case WRITER -> writer(rights);
      case RELAY -> relay(rights, usage.claiming());
      case OPERATOR -> operator(rights);
      case CAPTURE -> capture(rights);
    }
    return rights;
  }

  private static void writer(List<Right> rights) {
    add(rights, "outbox", "lane", Verb.INSERT);
    add(rights, "delayed", "lane", Verb.INSERT);
  }

  private static void relay(List<Right> rights, Claiming claiming) {
    add(rights, "relay", "relay", Verb.SELECT, Verb.INSERT, Verb.UPDATE, Verb.DELETE);
    add(rights, "outbox", "lane", Verb.SELECT, Verb.INSERT, Verb.DELETE);
    add(rights, "parked", "lane", Verb.SELECT, Verb.INSERT, Verb.UPDATE, Verb.DELETE);
    add(rights, "delayed", "lane", Verb.SELECT, Verb.DELETE);
    add(rights, "dead", "lane", Verb.INSERT);
    add(rights, "topic", "topic", Verb.SELECT);
    add(rights, "takeover", "lane", Verb.SELECT, Verb.INSERT, Verb.DELETE);
    if (claiming == Claiming.LANES) {
      add(rights, "lane", "lane", Verb.SELECT, Verb.UPDATE, Verb.LOCK);
      add(rights, "dead", "lane", Verb.SELECT);
    } else {
      add(rights, "outbox", "lane", Verb.LOCK);
      add(rights, "parked", "lane", Verb.LOCK);
      add(rights, "delayed", "lane", Verb.LOCK);
    }
    add(rights, "beat", "cluster_id", Verb.SELECT, Verb.INSERT, Verb.DELETE);
  }

  private static void operator(List<Right> rights) {
    add(rights, "dead", "lane", Verb.SELECT, Verb.DELETE);
    add(rights, "outbox", "lane", Verb.SELECT, Verb.INSERT);
    add(rights, "parked", "lane", Verb.SELECT, Verb.INSERT, Verb.UPDATE);
    add(rights, "lane", "lane", Verb.SELECT, Verb.UPDATE);
    add(rights, "topic", "topic", Verb.SELECT, Verb.INSERT, Verb.UPDATE, Verb.DELETE);
    add(rights, "delayed", "lane", Verb.SELECT, Verb.DELETE);
    add(rights, "relay", "relay", Verb.SELECT);
    add(rights, "beat", "cluster_id", Verb.SELECT, Verb.INSERT, Verb.DELETE);
  }

  /** Of who looks after captured tables and purges them, not of the reader of the log. */
  private static void capture(List<Right> rights) {
    add(rights, "outbox", "lane", Verb.SELECT, Verb.DELETE);
    add(rights, "parked", "lane", Verb.SELECT);
    add(rights, "delayed", "lane", Verb.SELECT);
    add(rights, "relay", "relay", Verb.SELECT);
  }

  private static void add(List<Right> rights, String table, String column, Verb... verbs) {
    for (Verb verb : verbs) {
      rights.add(new Right(verb, table, column));
    }
  }
}
