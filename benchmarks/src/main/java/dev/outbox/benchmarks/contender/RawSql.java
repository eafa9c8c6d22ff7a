package dev.outbox.benchmarks.contender;

import dev.outbox.servers.Database;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * The statements of the hand-written contenders, over the tables of the library: what a person who
 * knows the database would write for this one purpose.
 *
 * <p>Immutable.
 */
record RawSql(Database database) {
  private static final String COLUMNS =
      "id, message_id, topic, msg_key, headers, content_type, payload, created_at";

  private static final String INSERT =
      "INSERT INTO outbox (lane, message_id, topic, msg_key, content_type, payload) VALUES ";

  static final String TOPIC = "orders.placed";

  /** Messages of one lane above its floor. */
  String read() {
    return "SELECT " + COLUMNS + " FROM outbox WHERE lane = ? AND id > ? ORDER BY id LIMIT ?";
  }

  /** The end of a batch, if the lane is still ours. */
  String fence() {
    return "UPDATE outbox_lane SET settles = settles + 1, floor = ?, lease_until = "
        + later()
        + " WHERE lane = ? AND owner = ? AND epoch = ?";
  }

  String lease() {
    return "UPDATE outbox_lane SET owner = ?, epoch = epoch + 1, lease_until = "
        + later()
        + " WHERE lane = ?";
  }

  private String later() {
    return switch (database) {
      case POSTGRES -> "clock_timestamp() + INTERVAL '15 seconds'";
      case MYSQL, MARIADB -> "UTC_TIMESTAMP(6) + INTERVAL 15 SECOND";
      default -> "CURRENT_TIMESTAMP(6) + INTERVAL '15' SECOND";
    };
  }

  /** Rows that no other session has, locked; on PostgreSQL deleted by the same statement. */
  String claim() {
    String columns = "lane, " + COLUMNS;
    return switch (database) {
      case POSTGRES ->
          "DELETE FROM outbox WHERE ctid = ANY(ARRAY(SELECT ctid FROM outbox ORDER BY lane, id LIMIT ?"
              + " FOR UPDATE SKIP LOCKED)) RETURNING "
              + columns;
      case MYSQL, MARIADB ->
          "SELECT "
              + columns
              + " FROM outbox FORCE INDEX (PRIMARY) ORDER BY lane, id LIMIT ? FOR UPDATE SKIP LOCKED";
      default ->
          "SELECT " + columns + " FROM outbox ORDER BY lane, id LIMIT ? FOR UPDATE SKIP LOCKED";
    };
  }

  boolean claimDeletes() {
    return database == Database.POSTGRES;
  }

  /** Deletes {@code ids} of one lane; returns how many there were. */
  int deleteOfLane(Connection connection, int lane, List<Long> ids) throws SQLException {
    switch (database) {
      case POSTGRES -> {
        String sql = "DELETE FROM outbox WHERE lane = ? AND id = ANY(?)";
        try (PreparedStatement delete = connection.prepareStatement(sql)) {
          delete.setInt(1, lane);
          delete.setArray(2, connection.createArrayOf("bigint", ids.toArray()));
          return delete.executeUpdate();
        }
      }
      case MYSQL, MARIADB -> {
        String sql =
            "DELETE o FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) a"
                + " STRAIGHT_JOIN outbox o FORCE INDEX (PRIMARY) ON o.lane = ? AND o.id = a.id";
        try (PreparedStatement delete = connection.prepareStatement(sql)) {
          delete.setString(1, ids.toString());
          delete.setInt(2, lane);
          return delete.executeUpdate();
        }
      }
      default -> {
        return deleteEach(connection, ids.stream().map(id -> new Place(lane, id)).toList());
      }
    }
  }

  /** Where a row stands. */
  record Place(int lane, long id) {}

  /** Deletes claimed rows; returns how many there were. */
  int delete(Connection connection, List<Place> places) throws SQLException {
    if (database != Database.MYSQL && database != Database.MARIADB) {
      return deleteEach(connection, places);
    }
    String sql =
        "DELETE o FROM JSON_TABLE(?, '$[*]' COLUMNS (lane INT PATH '$[0]', id BIGINT PATH '$[1]')) a"
            + " STRAIGHT_JOIN outbox o FORCE INDEX (PRIMARY) ON o.lane = a.lane AND o.id = a.id";
    try (PreparedStatement delete = connection.prepareStatement(sql)) {
      delete.setString(
          1,
          places.stream()
              .map(place -> "[" + place.lane() + "," + place.id() + "]")
              .collect(Collectors.joining(",", "[", "]")));
      return delete.executeUpdate();
    }
  }

  private static int deleteEach(Connection connection, List<Place> places) throws SQLException {
    String sql = "DELETE FROM outbox WHERE lane = ? AND id = ?";
    try (PreparedStatement delete = connection.prepareStatement(sql)) {
      for (Place place : places) {
        delete.setInt(1, place.lane());
        delete.setLong(2, place.id());
        delete.addBatch();
      }
      int deleted = 0;
      for (int each : delete.executeBatch()) {
        deleted += each;
      }
      return deleted;
    }
  }

  /** Inserts {@code count} messages from number {@code from}, with one statement. */
  void insert(Connection connection, Placing placing, long from, int count) throws SQLException {
    String rows = ", (?, ?, ?, ?, ?, ?)".repeat(count).substring(2);
    try (PreparedStatement insert = connection.prepareStatement(INSERT + rows)) {
      for (int row = 0; row < count; row++) {
        bind(insert, row * 6, placing, placing.lane(from + row), from + row);
      }
      insert.executeUpdate();
    }
  }

  /** Inserts message {@code number} in {@code lane}. */
  void insertInLane(Connection connection, Placing placing, int lane, long number)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT + "(?, ?, ?, ?, ?, ?)")) {
      bind(insert, 0, placing, lane, number);
      insert.executeUpdate();
    }
  }

  private void bind(PreparedStatement insert, int before, Placing placing, int lane, long number)
      throws SQLException {
    insert.setInt(before + 1, lane);
    insert.setObject(before + 2, id());
    insert.setString(before + 3, TOPIC);
    insert.setString(before + 4, placing == Placing.BY_KEY ? Payload.key(number) : null);
    insert.setString(before + 5, "application/octet-stream");
    insert.setBytes(before + 6, Payload.bytes(number));
  }

  /** How rows are spread over the lanes. */
  enum Placing {
    BY_KEY {
      @Override
      int lane(long number) {
        return Math.floorMod(Payload.key(number).hashCode(), LANES);
      }
    },
    AT_RANDOM {
      @Override
      int lane(long number) {
        return ThreadLocalRandom.current().nextInt(LANES);
      }
    };

    static final int LANES = 32;

    abstract int lane(long number);
  }

  private Object id() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long high = System.currentTimeMillis() << 16 | 0x7000 | random.nextInt(0x1000);
    long low = random.nextLong() >>> 2 | 0x8000_0000_0000_0000L;
    return switch (database) {
      case MYSQL, MARIADB -> ByteBuffer.allocate(16).putLong(high).putLong(low).array();
      default -> new UUID(high, low);
    };
  }

  /** A message as an application would want it: all of its columns read. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Row(
      long id,
      Object messageId,
      String topic,
      String key,
      String headers,
      String contentType,
      byte[] payload,
      Object createdAt) {

    static Row read(ResultSet row, int first) throws SQLException {
      return new Row(
          row.getLong(first),
          row.getObject(first + 1),
          row.getString(first + 2),
          row.getString(first + 3),
          row.getString(first + 4),
          row.getString(first + 5),
          row.getBytes(first + 6),
          row.getTimestamp(first + 7));
    }
  }

  /** Makes sure that as many rows are gone as were published. */
  static void requireAll(int published, int deleted) {
    if (published != deleted) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "%d published, %d deleted", published, deleted));
    }
  }
}
