package dev.outbox.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.StoreException;
import dev.outbox.spi.OutboxStore;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EveryStepTest {
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HALT")
  void lanes_keep_the_promises_through_a_fault_at_every_step(CrashFault crashFault)
      throws Exception {
    CrashReport report =
        EveryStep.of(() -> new InMemoryWorld(false), CrashScenario.standard(true))
            .with(crashFault)
            .run();
    System.out.println(report);
    assertThat(report.assertPassed().runs()).isGreaterThan(60);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HALT")
  void rows_keep_the_promises_through_a_fault_at_every_step(CrashFault crashFault)
      throws Exception {
    CrashReport report =
        EveryStep.of(() -> new InMemoryWorld(true), CrashScenario.standard(false))
            .with(crashFault)
            .run();
    System.out.println(report);
    assertThat(report.assertPassed().runs()).isGreaterThan(40);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HALT")
  void steps_that_do_not_follow_one_another_are_struck_on_both_sides(CrashFault crashFault)
      throws Exception {
    CrashReport report =
        EveryStep.of(() -> new InMemoryWorld(false), CrashScenario.standard(true))
            .with(crashFault)
            .at(step -> step.point() == CrashPoint.PUBLISH)
            .run();
    long flights =
        report.steps().stream().filter(step -> step.point() == CrashPoint.PUBLISH).count();
    assertThat(report.assertPassed().runs()).isEqualTo(2 * (int) flights).isGreaterThan(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 1000})
  void a_store_that_goes_back_at_any_step_by_more_keeps_the_promises(int transactions)
      throws Exception {
    for (boolean rows : new boolean[] {false, true}) {
      EveryStep.of(() -> new InMemoryWorld(rows), CrashScenario.standard(!rows))
          .with(CrashFault.GO_BACK)
          .undoing(transactions)
          .run()
          .assertPassed();
    }
  }

  @Test
  void a_report_without_runs_does_not_pass() throws Exception {
    CrashReport report =
        EveryStep.of(() -> new InMemoryWorld(true), CrashScenario.standard(false))
            .at(step -> step.point() == CrashPoint.SUSPECT)
            .run();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(report::assertPassed)
        .withMessageContaining("0 runs");
  }

  @Test
  void writers_that_fail_without_a_fault_are_a_finding_and_the_cause_is_named() throws Exception {
    CrashReport report =
        EveryStep.of(
                () ->
                    new InMemoryWorld(false) {
                      @Override
                      public DataSource applications(String who, Steps steps) {
                        return steps.watch(who, refusing());
                      }
                    },
                CrashScenario.standard(true))
            .run();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(report::assertPassed)
        .withMessageContaining(
            "without a fault: failed by itself: java.sql.SQLException: no access")
        .withMessageContaining("Caused by: java.io.IOException: wrong password")
        .withMessageContaining("without a fault: nothing was committed");
  }

  @Test
  void a_writer_that_fails_beside_a_fault_is_a_finding() throws Exception {
    AtomicInteger openings = new AtomicInteger();
    CrashReport report =
        EveryStep.of(
                () -> {
                  boolean first = openings.incrementAndGet() == 1;
                  return new InMemoryWorld(false) {
                    @Override
                    public DataSource applications(String who, Steps steps) {
                      return !first && who.equals("writer-3")
                          ? steps.watch(who, refusing())
                          : super.applications(who, steps);
                    }
                  };
                },
                CrashScenario.standard(true))
            .at(step -> step.who().equals("writer-1"))
            .run();
    assertThat(report.failures())
        .hasSize(report.runs())
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .startsWith("DROP ")
                    .contains("writer-1", "failed by itself: java.sql.SQLException: no access"));
  }

  private static DataSource refusing() {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              throw new SQLException("no access", new IOException("wrong password"));
            });
  }

  @Test
  void a_relay_that_fails_without_a_fault_is_a_finding() throws Exception {
    CrashReport report =
        EveryStep.of(
                () ->
                    new InMemoryWorld(false) {
                      @Override
                      public OutboxStore store(String who, Steps steps) {
                        return who.equals("relay-1")
                            ? new Steps(EveryStepTest::failAtSettle, steps.notes())
                                .watch(who, store)
                            : super.store(who, steps);
                      }
                    },
                CrashScenario.standard(true))
            .at(step -> step.who().startsWith("writer"))
            .run();
    assertThat(report.failures())
        .singleElement()
        .asString()
        .contains("without a fault: failed by itself", "of its own");
  }

  private static void failAtSettle(Steps steps, Step step, Step.Side side) {
    boolean first =
        steps.taken().stream().filter(each -> each.point() == CrashPoint.SETTLE).count() == 1;
    if (step.point() == CrashPoint.SETTLE && side == Step.Side.BEFORE && first) {
      throw StoreException.passing("of its own", null);
    }
  }

  @Test
  void a_scenario_that_commits_nothing_is_a_finding() throws Exception {
    CrashScenario empty =
        crashRun -> {
          crashRun.write();
          crashRun.drain();
        };
    assertThat(EveryStep.of(() -> new InMemoryWorld(false), empty).run().failures())
        .containsExactly("without a fault: nothing was committed");
  }

  @Test
  void a_halt_would_end_the_tests_own_jvm_and_the_remedy_is_named() {
    EveryStep steps = EveryStep.of(() -> new InMemoryWorld(true), crashRun -> {});
    assertThatIllegalArgumentException()
        .isThrownBy(() -> steps.with(CrashFault.HALT))
        .withMessage(
            "fault HALT would end this JVM; use DROP, or a %s in another JVM",
            StepFault.class.getSimpleName());
  }
}
