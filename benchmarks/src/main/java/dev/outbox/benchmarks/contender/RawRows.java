package dev.outbox.benchmarks.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Claiming;
import dev.outbox.benchmarks.contender.RawInstallation.Bench;
import dev.outbox.benchmarks.contender.RawSql.Place;
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

/**
 * Hand-written JDBC that does the work of row claims: takes rows with SKIP LOCKED, publishes,
 * commits; one connection and one transaction a batch. On PostgreSQL one statement locks, deletes
 * and returns them; MySQL has no such statement, and MariaDB's cannot skip what is locked.
 */
final class RawRows implements Contender {
  @Override
  public String name() {
    return "raw-rows";
  }

  @Override
  public boolean runsOn(Database database) {
    return true;
  }

  @Override
  public String settings(Tuning tuning) {
    return "hand-written, SKIP LOCKED, %d a batch, %d workers"
        .formatted(tuning.batch(), tuning.relays());
  }

  @Override
  public void create(Site site) {
    try (HikariDataSource pool = site.pool(2)) {
      Schema.builder(pool).claiming(Claiming.ROWS).create();
    }
  }

  @Override
  public Installation open(Site site) {
    return new RawInstallation(site, Placing.AT_RANDOM, Rows::new);
  }

  private record Rows(Bench bench) implements RawWorker.Turn {
    @Override
    public int at(int lane) throws SQLException {
      return everywhere();
    }

    @Override
    public int everywhere() throws SQLException {
      Connection connection = bench.connection();
      List<Place> places = new ArrayList<>();
      List<RawSql.Row> rows = claim(places);
      if (rows.isEmpty()) {
        connection.rollback();
        return 0;
      }
      if (!bench.sql().claimDeletes()) {
        RawSql.requireAll(rows.size(), bench.sql().delete(connection, places));
      }
      rows.forEach(row -> bench.sink().accept(row.payload()));
      connection.commit();
      return rows.size();
    }

    private List<RawSql.Row> claim(List<Place> places) throws SQLException {
      try (PreparedStatement claim = bench.connection().prepareStatement(bench.sql().claim())) {
        claim.setInt(1, bench.tuning().batch());
        List<RawSql.Row> rows = new ArrayList<>();
        try (ResultSet each = claim.executeQuery()) {
          while (each.next()) {
            RawSql.Row row = RawSql.Row.read(each, 2);
            rows.add(row);
            places.add(new Place(each.getInt(1), row.id()));
          }
        }
        return rows;
      }
    }
  }
}
