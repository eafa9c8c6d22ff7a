package dev.outbox.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
  void a_halt_would_end_the_tests_own_jvm_and_the_remedy_is_named() {
    EveryStep steps = EveryStep.of(() -> new InMemoryWorld(true), crashRun -> {});
    assertThatIllegalArgumentException()
        .isThrownBy(() -> steps.with(CrashFault.HALT))
        .withMessage(
            "fault HALT would end this JVM; use DROP, or a %s in another JVM",
            StepFault.class.getSimpleName());
  }
}
