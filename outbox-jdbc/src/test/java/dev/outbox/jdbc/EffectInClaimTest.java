package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.jdbc.JdbcWorld.Grain;
import dev.outbox.servers.Database;
import dev.outbox.tck.StoreSetting;
import dev.outbox.testkit.crash.CrashFault;
import dev.outbox.testkit.crash.CrashReport;
import dev.outbox.testkit.crash.CrashScenario;
import dev.outbox.testkit.crash.EveryStep;
import dev.outbox.testkit.crash.Step;
import java.util.function.Predicate;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A worker whose effect is in the claim's own transaction: whatever step it dies at, every message
 * has had its effect once, and what failed or was rejected has had none.
 */
@Execution(ExecutionMode.CONCURRENT)
class EffectInClaimTest {
  private static CrashReport play(
      Database database,
      Grain grain,
      CrashFault crashFault,
      EffectWorld.Way way,
      Predicate<Step> steps)
      throws Exception {
    try (JdbcStores stores = new JdbcStores(database, "")) {
      return EveryStep.of(
              () ->
                  EffectWorld.of(
                      stores.world(StoreSetting.rows(), grain), stores.applications(), way),
              CrashScenario.standard(false))
          .with(crashFault)
          .at(steps)
          .run();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "POSTGRES, STATEMENTS, DROP",
    "MYSQL, STATEMENTS, DROP",
    "MARIADB, STATEMENTS, DROP",
    "H2, STATEMENTS, DROP",
    "POSTGRES, CALLS, FAIL",
    "MYSQL, CALLS, FAIL",
    "MARIADB, CALLS, FAIL",
    "H2, CALLS, FAIL"
  })
  void an_effect_in_the_claim_happens_once_whatever_step_it_dies_at(
      Database database, Grain grain, CrashFault crashFault) throws Exception {
    CrashReport report =
        play(database, grain, crashFault, EffectWorld.Way.INSIDE, SomeSteps.on(database))
            .assertPassed();

    System.out.printf(
        "exactly once, %s: %s, %s: %s%n", SomeSteps.told(database), database, crashFault, report);
  }

  /** Or the test above would pass for a worker that does not keep the promise. */
  @ParameterizedTest
  @CsvSource("H2, STATEMENTS, DROP")
  void an_effect_beside_the_claim_is_found_to_happen_twice(
      Database database, Grain grain, CrashFault crashFault) throws Exception {
    CrashReport report = play(database, grain, crashFault, EffectWorld.Way.BESIDE, step -> true);

    assertThat(report.toString()).contains("2 effects of");
  }
}
