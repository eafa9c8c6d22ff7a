package dev.outbox.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EveryStepTest {
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HALT")
  void lanes_keep_the_promises_through_a_fault_at_every_step(Fault fault) throws Exception {
    CrashReport report =
        EveryStep.of(() -> new InMemoryWorld(false), Play.standard(true)).with(fault).run();
    System.out.println(report);
    assertThat(report.assertPassed().runs()).isGreaterThan(60);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HALT")
  void rows_keep_the_promises_through_a_fault_at_every_step(Fault fault) throws Exception {
    CrashReport report =
        EveryStep.of(() -> new InMemoryWorld(true), Play.standard(false)).with(fault).run();
    System.out.println(report);
    assertThat(report.assertPassed().runs()).isGreaterThan(40);
  }
}
