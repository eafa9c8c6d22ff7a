package dev.outbox.benchmarks.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.benchmarks.contender.RawInstallation.Bench;
import dev.outbox.benchmarks.contender.RawSql.Placing;
import dev.outbox.benchmarks.measure.Site;
import dev.outbox.jdbc.Schema;
import dev.outbox.servers.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Hand-written JDBC that does the work of lanes: reads a lane above a tight floor, publishes,
 * fences, deletes, commits; one connection and one transaction a batch. While others write, the
 * floor is 10,000 ids lower; it takes no lane over, and what commits later than that it never sees:
 * a bound, not a product.
 */
final class RawLanes implements Contender {
  @Override
  public String name() {
    return "raw";
  }

  @Override
  public boolean runsOn(Database database) {
    return true;
  }

  @Override
  public String settings(Tuning tuning) {
    return "hand-written, lane by lane, %d a batch, %d workers"
        .formatted(tuning.batch(), tuning.relays());
  }

  @Override
  public void create(Site site) {
    try (HikariDataSource pool = site.pool(2)) {
      Schema.builder(pool).create();
    }
  }

  @Override
  public Installation open(Site site) {
    return new RawInstallation(site, Placing.BY_KEY, Lanes::new);
  }

  /** Every lane of one worker, again and again. */
  private static final class Lanes implements RawWorker.Turn {
    private static final int SLACK = 10_000;

    private final Bench bench;
    private final Connection connection;
    private final String owner;
    private final Map<Integer, Owned> lanes = new TreeMap<>();

    Lanes(Bench bench) throws SQLException {
      this.bench = bench;
      this.connection = bench.connection();
      this.owner = "worker-" + bench.worker();
      int workers = bench.tuning().relays();
      for (int lane = bench.worker(); lane < Placing.LANES; lane += workers) {
        lanes.put(lane, new Owned(lane, lease(lane)));
      }
    }

    private static final class Owned {
      final int lane;
      final long epoch;
      long floor;

      Owned(int lane, long epoch) {
        this.lane = lane;
        this.epoch = epoch;
      }
    }

    private long lease(int lane) throws SQLException {
      try (PreparedStatement lease = connection.prepareStatement(bench.sql().lease())) {
        lease.setString(1, owner);
        lease.setInt(2, lane);
        lease.executeUpdate();
      }
      String query = "SELECT epoch FROM outbox_lane WHERE lane = " + lane;
      try (PreparedStatement ask = connection.prepareStatement(query);
          ResultSet row = ask.executeQuery()) {
        row.next();
        long epoch = row.getLong(1);
        connection.commit();
        return epoch;
      }
    }

    @Override
    public int everywhere() throws SQLException {
      int moved = 0;
      for (Owned lane : lanes.values()) {
        moved += run(lane);
      }
      return moved;
    }

    @Override
    public int at(int lane) throws SQLException {
      Owned owned = lanes.get(lane);
      return owned == null ? 0 : run(owned);
    }

    private int run(Owned lane) throws SQLException {
      List<RawSql.Row> rows = read(lane);
      if (rows.isEmpty()) {
        connection.rollback();
        return 0;
      }
      List<Long> ids = new ArrayList<>(rows.size());
      for (RawSql.Row row : rows) {
        bench.sink().accept(row.payload());
        ids.add(row.id());
      }
      lane.floor = Math.max(lane.floor, ids.get(ids.size() - 1));
      fence(lane);
      RawSql.requireAll(rows.size(), bench.sql().deleteOfLane(connection, lane.lane, ids));
      connection.commit();
      return rows.size();
    }

    private List<RawSql.Row> read(Owned lane) throws SQLException {
      try (PreparedStatement read = connection.prepareStatement(bench.sql().read())) {
        read.setInt(1, lane.lane);
        read.setLong(2, bench.isLive() ? lane.floor - SLACK : lane.floor);
        read.setInt(3, bench.tuning().batch());
        List<RawSql.Row> rows = new ArrayList<>();
        try (ResultSet each = read.executeQuery()) {
          while (each.next()) {
            rows.add(RawSql.Row.read(each, 1));
          }
        }
        return rows;
      }
    }

    private void fence(Owned lane) throws SQLException {
      try (PreparedStatement fence = connection.prepareStatement(bench.sql().fence())) {
        fence.setLong(1, lane.floor);
        fence.setInt(2, lane.lane);
        fence.setString(3, owner);
        fence.setLong(4, lane.epoch);
        if (fence.executeUpdate() != 1) {
          throw new IllegalStateException("fenced on lane " + lane.lane);
        }
      }
    }
  }
}
