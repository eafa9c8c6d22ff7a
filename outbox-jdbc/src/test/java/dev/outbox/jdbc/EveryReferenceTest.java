package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.jdbc.JdbcWorld.Grain;
import dev.outbox.servers.Database;
import dev.outbox.tck.StoreSetting;
import dev.outbox.testkit.crash.CrashFault;
import dev.outbox.testkit.crash.CrashReport;
import dev.outbox.testkit.crash.CrashRun;
import dev.outbox.testkit.crash.CrashScenario;
import dev.outbox.testkit.crash.EveryStep;
import dev.outbox.testkit.crash.Step;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Messages by reference, and a relay that is dropped at every statement, or loses its connection
 * where it loads their payloads: each arrives with its own payload, in order, and none dies.
 */
@Execution(ExecutionMode.CONCURRENT)
class EveryReferenceTest {
  private static void play(CrashRun crashRun) throws Exception {
    crashRun.write(
        ReferenceWorld.message("a", "1"),
        ReferenceWorld.message("b", "2"),
        ReferenceWorld.message("a", "3"));
    crashRun.drain();
    crashRun.write(
        ReferenceWorld.message("a", "fails once"), ReferenceWorld.message("a", "follows"));
    crashRun.drain();
    crashRun.pass(Duration.ofSeconds(40));
    crashRun.write(ReferenceWorld.message("a", "last"));
    crashRun.drain();
  }

  private static CrashReport run(
      CrashFault crashFault, Predicate<Step> which, ReferenceWorld.Way way) throws Exception {
    CrashScenario crashScenario = EveryReferenceTest::play;
    try (JdbcStores stores = new JdbcStores(Database.H2, "")) {
      return EveryStep.of(
              () ->
                  new ReferenceWorld(
                      stores.world(StoreSetting.lanes(2), Grain.STATEMENTS),
                      stores.applications(),
                      way),
              crashScenario)
          .with(crashFault)
          .at(which)
          .run();
    }
  }

  @Test
  void a_reference_arrives_with_its_payload_whatever_statement_its_relay_is_dropped_at()
      throws Exception {
    CrashReport report =
        run(
                CrashFault.DROP,
                SomeSteps.on(Database.H2).or(EveryReferenceTest::loads),
                ReferenceWorld.Way.LOADED)
            .assertPassed();

    System.out.println("every reference: " + report);
    assertThat(report.steps()).anyMatch(EveryReferenceTest::loads);
  }

  private static boolean loads(Step step) {
    return step.detail().contains("\"BODY\"") && !step.detail().contains("1 = 0");
  }

  @Test
  void nor_does_a_lost_connection_of_its_resolver_count_against_it() throws Exception {
    System.out.println(
        "every reference: "
            + run(CrashFault.FAIL, EveryReferenceTest::loads, ReferenceWorld.Way.LOADED)
                .assertPassed());
  }

  /** Or those above would pass whatever arrived. */
  @Test
  void payloads_that_nobody_loads_are_found_out() throws Exception {
    CrashReport report =
        run(CrashFault.DROP, SomeSteps.on(Database.H2), ReferenceWorld.Way.LEFT_OUT);

    assertThat(report.toString()).contains("'' arrived for");
  }
}
