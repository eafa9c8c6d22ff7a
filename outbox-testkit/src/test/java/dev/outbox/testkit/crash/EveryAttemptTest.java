package dev.outbox.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.StoreException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Only who was struck is attempted again. */
class EveryAttemptTest {
  /** One step, around which things happen by themselves. */
  private interface Deed {
    void attempt(String who, Steps steps) throws Exception;
  }

  private static Undertaking undertaking(Deed deed) {
    return new Undertaking() {
      @Override
      public void attempt(String who, Steps steps) throws Exception {
        deed.attempt(who, steps);
      }

      @Override
      public List<String> wrongs() {
        return List.of();
      }

      @Override
      public void close() {}
    };
  }

  private static CrashReport run(CrashFault crashFault, Deed deed) throws Exception {
    return EveryAttempt.of(() -> undertaking(deed)).with(crashFault).run();
  }

  private static void step(String who, Steps steps) {
    steps.<RuntimeException>run(who, CrashPoint.STATEMENT, "it", () -> {});
  }

  @Test
  void who_was_struck_is_attempted_again() throws Exception {
    for (CrashFault crashFault : List.of(CrashFault.DROP, CrashFault.FAIL)) {
      CrashReport report = run(crashFault, EveryAttemptTest::step);
      assertThat(report.assertPassed().runs()).isEqualTo(2);
    }
  }

  @Test
  void a_strike_is_recognised_behind_what_was_made_of_it() throws Exception {
    Deed wrapping =
        (who, steps) -> {
          try {
            step(who, steps);
          } catch (StoreException e) {
            throw new SQLException("lost", e);
          }
        };
    run(CrashFault.FAIL, wrapping).assertPassed();
  }

  @Test
  void who_fails_without_a_fault_is_a_finding() throws Exception {
    Deed failing =
        (who, steps) -> {
          step(who, steps);
          if (who.equals("worker-1")) {
            throw StoreException.passing("of its own", null);
          }
        };
    assertThat(run(CrashFault.DROP, failing).failures())
        .singleElement()
        .asString()
        .contains("without a fault", "failed by itself", "of its own");
  }

  @Test
  void who_fails_of_something_else_after_a_strike_is_a_finding() throws Exception {
    Deed hurt =
        (who, steps) -> {
          if (who.equals("worker-2")) {
            throw new SQLException("never healed");
          }
          step(who, steps);
        };
    for (CrashFault crashFault : List.of(CrashFault.DROP, CrashFault.FAIL)) {
      CrashReport report = run(crashFault, hurt);
      assertThat(report.failures()).hasSize(2).allMatch(told -> told.contains("never healed"));
      assertThatThrownBy(report::assertPassed).hasMessageContaining("never healed");
    }
  }
}
