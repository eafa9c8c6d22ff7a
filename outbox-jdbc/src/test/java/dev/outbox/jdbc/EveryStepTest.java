package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.jdbc.JdbcWorld.Grain;
import dev.outbox.testkit.contract.StoreSetting;
import dev.outbox.testkit.crash.CrashReport;
import dev.outbox.testkit.crash.EveryStep;
import dev.outbox.testkit.crash.Fault;
import dev.outbox.testkit.crash.Play;
import dev.outbox.testkit.database.Database;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A crash before and after every statement, commit and publish, on every database. */
class EveryStepTest {
  private static final StoreSetting LANES = StoreSetting.lanes(4);
  private static final Map<Database, JdbcStores> STORES = new EnumMap<>(Database.class);

  @AfterAll
  static void stop() {
    STORES.values().forEach(JdbcStores::close);
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void keyed_messages_by_lanes_survive_a_crash_at_every_statement(Database database)
      throws Exception {
    crashAtEveryStatement(database, LANES, true);
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void messages_without_keys_by_lanes_survive_a_crash_at_every_statement(Database database)
      throws Exception {
    crashAtEveryStatement(database, LANES, false);
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void messages_by_rows_survive_a_crash_at_every_statement(Database database) throws Exception {
    crashAtEveryStatement(database, StoreSetting.rows(), false);
  }

  private static void crashAtEveryStatement(Database database, StoreSetting setting, boolean keyed)
      throws Exception {
    CrashReport report = run(database, setting, keyed, Grain.STATEMENTS, Fault.DROP);
    assertThat(report.runs()).isGreaterThan(100);
  }

  static Stream<Arguments> callFaults() {
    return Stream.of(Database.POSTGRES, Database.MYSQL, Database.MARIADB, Database.H2)
        .flatMap(
            database ->
                Stream.of(Arguments.of(database, Fault.FAIL), Arguments.of(database, Fault.PAUSE)));
  }

  @ParameterizedTest
  @MethodSource("callFaults")
  void lost_replies_and_pauses_at_every_call_repeat_nothing_but_what_was_in_the_air(
      Database database, Fault fault) throws Exception {
    CrashReport report = run(database, LANES, true, Grain.CALLS, fault);
    assertThat(report.runs()).isGreaterThan(60);
  }

  private static CrashReport run(
      Database database, StoreSetting setting, boolean keyed, Grain grain, Fault fault)
      throws Exception {
    long begun = System.nanoTime();
    JdbcStores stores = STORES.computeIfAbsent(database, each -> new JdbcStores(each, ""));
    CrashReport report =
        EveryStep.of(() -> stores.world(setting, grain), Play.standard(keyed)).with(fault).run();
    System.out.printf(
        "%s, %s: %s in %.1f s%n",
        database, setting.claiming(), report, (System.nanoTime() - begun) / 1e9);
    return report.assertPassed();
  }
}
