package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.jdbc.JdbcWorld.Grain;
import dev.outbox.servers.Database;
import dev.outbox.tck.StoreSetting;
import dev.outbox.testkit.crash.CrashFault;
import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.CrashReport;
import dev.outbox.testkit.crash.CrashScenario;
import dev.outbox.testkit.crash.EveryStep;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The same plays over a dialect whose fence asks nobody: the kit must notice. */
class UnfencedMutantTest {
  private static final Set<CrashPoint> ENDS = Set.of(CrashPoint.SETTLE, CrashPoint.MOVE);

  @Test
  void a_settle_that_is_not_fenced_is_caught_by_a_relay_that_stood_still() throws Exception {
    AtomicInteger mutated = new AtomicInteger();
    try (JdbcStores stores = new JdbcStores(Database.POSTGRES, "")) {
      CrashReport report =
          EveryStep.of(
                  () ->
                      stores.world(
                          StoreSetting.lanes(4), Grain.CALLS, real -> unfenced(real, mutated)),
                  CrashScenario.standard(true))
              .with(CrashFault.PAUSE)
              .at(step -> ENDS.contains(step.point()))
              .run();

      assertThat(mutated).as("fences taken out").hasPositiveValue();
      assertThat(report.failures()).as("%s", report).anyMatch(each -> each.contains("STALE"));
    }
  }

  private static DataSource unfenced(DataSource real, AtomicInteger mutated) {
    return new TamperedDataSource(
        real,
        (connection, method, arguments) ->
            TamperedDataSource.passed(connection, method, mutate(method, arguments, mutated)));
  }

  private static Object[] mutate(Method method, Object[] arguments, AtomicInteger mutated) {
    if (method.getName().equals("prepareStatement") && arguments[0] instanceof String sql) {
      String mutant =
          sql.replace(
              "AND l.epoch = a.epoch\n  WHERE l.owner = ?",
              "WHERE ? IS NOT NULL AND l.owner IS NOT NULL");
      mutated.addAndGet(mutant.equals(sql) ? 0 : 1);
      arguments[0] = mutant;
    }
    return arguments;
  }
}
