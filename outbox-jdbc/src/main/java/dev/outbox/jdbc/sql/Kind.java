package dev.outbox.jdbc.sql;

import dev.outbox.jdbc.shape.AppendSql;
import dev.outbox.jdbc.shape.ByIds;
import dev.outbox.jdbc.shape.BySource;
import dev.outbox.jdbc.shape.ClaimSql;
import dev.outbox.jdbc.shape.DeadSql;
import dev.outbox.jdbc.shape.FenceSql;
import dev.outbox.jdbc.shape.KeyQuery;
import dev.outbox.jdbc.shape.LaneQuery;
import dev.outbox.jdbc.shape.LimitSql;
import dev.outbox.jdbc.shape.LockSql;
import dev.outbox.jdbc.shape.NextIdSql;
import dev.outbox.jdbc.shape.OnceSql;
import dev.outbox.jdbc.shape.PurgeSql;
import dev.outbox.jdbc.shape.SlotSql;
import dev.outbox.jdbc.shape.WritersSql;
import java.time.Duration;
import java.util.function.BiFunction;

/**
 * What is made of a statement's texts. Each kind has its own words for shapes in the files; {@code
 * #} is a number.
 */
public enum Kind {
  TEXT(Kind::text),
  APPEND(Kind::append),
  BY_IDS(Kind::byIds),
  BY_SOURCE(Kind::bySource),
  CLAIM(Kind::claim),
  DEAD(Kind::dead),
  FENCE(Kind::fence),
  KEYS(Kind::keys),
  LANES(Kind::lanes),
  LIMITS(Kind::limits),
  LOCK(Kind::lock),
  NEXT_ID(Kind::nextId),
  ONCE(Kind::once),
  PURGE(Kind::purge),
  SLOTS(Kind::slots),
  WRITERS(Kind::writers);

  private static final String THEN = "lock, then ";

  @SuppressWarnings("ImmutableEnumChecker") // a function, which keeps nothing
  private final BiFunction<Texts, String, Object> shape;

  Kind(BiFunction<Texts, String, Object> shape) {
    this.shape = shape;
  }

  Object of(Texts texts, Statement statement) {
    return shape.apply(texts, statement.file() + "/" + statement.textName());
  }

  private static String text(Texts texts, String name) {
    return switch (texts.shape(name)) {
      case "" -> texts.text(name);
      default -> throw texts.unknownShape(name);
    };
  }

  private static AppendSql append(Texts texts, String name) {
    return switch (texts.shape(name)) {
      case "tuples" -> new AppendSql.Tuples(texts.text(name), tuple(texts, name));
      case "batch" -> new AppendSql.Batch(texts.text(name));
      default -> throw texts.unknownShape(name);
    };
  }

  private static String tuple(Texts texts, String name) {
    return texts.text(name + ".tuple").strip();
  }

  private static ByIds byIds(Texts texts, String name) {
    return switch (texts.shape(name)) {
      case "lane array" -> new ByIds.LaneArray(texts.text(name));
      case "json ids" -> new ByIds.JsonIds(texts.text(name));
      case "json rows" -> new ByIds.JsonRows(texts.text(name));
      case "json places" -> new ByIds.JsonPlaces(texts.text(name));
      case "each row" -> new ByIds.EachRow(texts.text(name));
      default -> throw texts.unknownShape(name);
    };
  }

  private static BySource bySource(Texts texts, String name) {
    int file = name.indexOf('/') + 1;
    String before = name.substring(0, file);
    String own = "." + name.substring(file);
    return new BySource(
        texts.text(before + "parked" + own),
        texts.text(before + "ready" + own),
        texts.text(before + "delayed" + own));
  }

  private static ClaimSql claim(Texts texts, String name) {
    String shape = texts.shape(name);
    if (shape.equals("returning")) {
      return new ClaimSql.Returning(texts.text(name));
    }
    if (!shape.startsWith(THEN)) {
      throw texts.unknownShape(name);
    }
    String delete = shape.substring(THEN.length());
    return new ClaimSql.LockThenDelete(
        lock(texts, name + ".lock"), byIds(texts.with(delete), delete));
  }

  private static DeadSql dead(Texts texts, String name) {
    return new DeadSql(
        texts.text(name + ".page"),
        texts.text(name + ".summaries"),
        texts.text(name + ".ids"),
        texts.text(name + ".count"));
  }

  private static FenceSql fence(Texts texts, String name) {
    return switch (texts.shape(name)) {
      case "query" -> new FenceSql.Query(texts.text(name), texts.text(name + ".deleting"));
      case "arrays" -> new FenceSql.Arrays(texts.text(name));
      case "json lanes" -> new FenceSql.JsonLanes(texts.text(name));
      case "each lane" -> new FenceSql.EachLane(texts.text(name));
      default -> throw texts.unknownShape(name);
    };
  }

  private static KeyQuery keys(Texts texts, String name) {
    return switch (texts.shape(name)) {
      case "together" -> new KeyQuery.Together(texts.text(name));
      case "union all" -> new KeyQuery.UnionAll(texts.text(name));
      default -> throw texts.unknownShape(name);
    };
  }

  private static LaneQuery lanes(Texts texts, String name) {
    return switch (texts.shape(name)) {
      case "arrays" -> new LaneQuery.Arrays(texts.text(name));
      case "union all" -> new LaneQuery.UnionAll(texts.text(name), texts.textIfAny(name + ".last"));
      default -> throw texts.unknownShape(name);
    };
  }

  private static LimitSql limits(Texts texts, String name) {
    return new LimitSql(
        texts.text(name + ".read"), texts.text(name + ".write"), texts.textIfAny(name + ".local"));
  }

  private static LockSql lock(Texts texts, String name) {
    return switch (texts.shape(name)) {
      case "limited" -> new LockSql.Limited(texts.text(name));
      case "cursor" -> new LockSql.OpenCursor(texts.text(name));
      default -> throw texts.unknownShape(name);
    };
  }

  private static NextIdSql nextId(Texts texts, String name) {
    return switch (texts.shape(name)) {
      case "told" -> new NextIdSql.Told(texts.text(name));
      case "sequence" -> new NextIdSql.OfSequence(texts.text(name + ".name"), texts.text(name));
      case "shown" ->
          new NextIdSql.Shown(
              texts.text(name),
              texts.text(name + ".plainMode"),
              texts.text(name + ".modeAsBefore"),
              texts.text(name + ".waitBriefly"),
              texts.text(name + ".waitAsBefore"));
      default -> throw texts.unknownShape(name);
    };
  }

  private static OnceSql once(Texts texts, String name) {
    return switch (texts.shape(name)) {
      case "tuples" -> tuples(texts, name);
      case "looking" -> new OnceSql.Looking(texts.text(name + ".look"), tuples(texts, name));
      case "batch" -> new OnceSql.Batch(texts.text(name));
      default -> throw texts.unknownShape(name);
    };
  }

  private static OnceSql.Tuples tuples(Texts texts, String name) {
    String tail = texts.textIfAny(name + ".tail").strip();
    return new OnceSql.Tuples(
        texts.text(name), tuple(texts, name), tail.isEmpty() ? "" : "\n" + tail);
  }

  private static PurgeSql purge(Texts texts, String name) {
    return switch (texts.shape(name)) {
      case "direct" -> new PurgeSql.Direct(texts.text(name));
      case "lock, delete" ->
          new PurgeSql.LockThenDelete(lock(texts, name + ".lock"), texts.text(name + ".delete"));
      case "find, lock, delete" ->
          new PurgeSql.FindLockDelete(
              texts.text(name + ".find"), texts.text(name + ".lock"), texts.text(name + ".delete"));
      default -> throw texts.unknownShape(name);
    };
  }

  private static SlotSql slots(Texts texts, String name) {
    return switch (texts.shape(name)) {
      case "none" -> new SlotSql.None();
      case "locked, of #" -> new SlotSql.Locked(texts.text(name), texts.number(name));
      default -> throw texts.unknownShape(name);
    };
  }

  private static WritersSql writers(Texts texts, String name) {
    return switch (texts.shape(name)) {
      case "told, after # ms" -> new WritersSql.Told(texts.text(name), lag(texts, name));
      case "numbered" -> new WritersSql.Numbered(texts.text(name), texts.text(name + ".running"));
      case "copied, after # ms" ->
          new WritersSql.Copied(texts.text(name + ".begin"), texts.text(name), lag(texts, name));
      case "untold" -> new WritersSql.Untold();
      default -> throw texts.unknownShape(name);
    };
  }

  private static Duration lag(Texts texts, String name) {
    return Duration.ofMillis(texts.number(name));
  }
}
