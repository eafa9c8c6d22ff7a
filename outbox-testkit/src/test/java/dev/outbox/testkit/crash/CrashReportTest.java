package dev.outbox.testkit.crash;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A last step may not come again; a report that reached nothing proves nothing. */
class CrashReportTest {
  @ParameterizedTest
  @CsvSource({"12, 2", "112, 11", "3, 2"})
  void it_passes_when_one_step_or_one_run_in_ten_was_not_reached(int runs, int unreached) {
    assertThatCode(report(runs, unreached)::assertPassed).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({"12, 3", "112, 12", "2, 2", "0, 0"})
  void it_does_not_pass_when_more_was_not_reached(int runs, int unreached) {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(report(runs, unreached)::assertPassed)
        .withMessageContaining(unreached + " did not reach theirs");
  }

  private static CrashReport report(int runs, int unreached) {
    return new CrashReport(CrashFault.DROP, List.of(), runs, unreached, List.of());
  }
}
