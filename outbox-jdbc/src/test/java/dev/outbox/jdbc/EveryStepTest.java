package dev.outbox.jdbc;

import dev.outbox.jdbc.JdbcWorld.Grain;
import dev.outbox.servers.Database;
import dev.outbox.tck.StoreSetting;
import dev.outbox.testkit.crash.CrashFault;
import dev.outbox.testkit.crash.CrashReport;
import dev.outbox.testkit.crash.CrashScenario;
import dev.outbox.testkit.crash.EveryStep;
import dev.outbox.testkit.crash.TestWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A crash before and after every statement, commit and publish, on every database; and a lost
 * reply, a pause and a store that goes back at every call. In the daily build on servers at some
 * steps of each play: {@link SomeSteps}. One goes on beside another, because each waits for its
 * server half of the time.
 */
@Execution(ExecutionMode.CONCURRENT)
class EveryStepTest {
  private static final List<Database> DATABASES =
      List.of(Database.POSTGRES, Database.MYSQL, Database.MARIADB, Database.H2);

  private static final StoreSetting LANES = StoreSetting.lanes(4);
  private static final StoreSetting ROWS = StoreSetting.rows();

  private static final List<Case> EVERYWHERE =
      List.of(
          new Case("keyed, by lanes, dropped", LANES, true, Grain.STATEMENTS, CrashFault.DROP),
          new Case(
              "unkeyed, by lanes, archived",
              LANES.archiving(),
              false,
              Grain.CALLS,
              CrashFault.DROP),
          new Case("unkeyed, by rows, dropped", ROWS, false, Grain.STATEMENTS, CrashFault.DROP));

  /** The same moves with other fates, in the engine's hands: played on one server and on H2. */
  private static final List<Case> MORE =
      List.of(
          new Case("keyed, by lanes, failing", LANES, true, Grain.CALLS, CrashFault.FAIL),
          new Case("unkeyed, by rows, failing", ROWS, false, Grain.CALLS, CrashFault.FAIL),
          new Case(
              "by rows, archived, dropped", ROWS.archiving(), false, Grain.CALLS, CrashFault.DROP));

  private static final Case STANDING_STILL =
      new Case("keyed, by lanes, standing still", LANES, true, Grain.CALLS, CrashFault.PAUSE);

  /** The calls of the store are its steps: notes of what a statement did come after its call. */
  private static final Case GOING_BACK =
      new Case("keyed, by lanes, going back", LANES, true, Grain.CALLS, CrashFault.GO_BACK);

  private static final List<Case> GOING_BACK_BY_MORE =
      List.of(
          GOING_BACK.undoing(3),
          new Case("unkeyed, by rows, going back", ROWS, false, Grain.CALLS, CrashFault.GO_BACK)
              .undoing(2));

  private static List<Case> cases(Database database) {
    List<Case> cases = new ArrayList<>(EVERYWHERE);
    cases.addAll(GOING_BACK_BY_MORE);
    if (database == Database.POSTGRES || database == Database.H2) {
      cases.addAll(MORE);
    }
    if (database == Database.H2) {
      cases.add(STANDING_STILL);
    }
    if (database == Database.H2 || SomeSteps.areAll()) {
      cases.add(GOING_BACK);
    }
    return cases;
  }

  private record Case(
      String name,
      StoreSetting setting,
      boolean keyed,
      Grain grain,
      CrashFault crashFault,
      int transactions) {
    Case(String name, StoreSetting setting, boolean keyed, Grain grain, CrashFault crashFault) {
      this(name, setting, keyed, grain, crashFault, 1);
    }

    Case undoing(int several) {
      return new Case(name + " by " + several, setting, keyed, grain, crashFault, several);
    }

    CrashReport run(JdbcStores stores, Database database) throws Exception {
      return EveryStep.of(() -> world(stores), CrashScenario.standard(keyed))
          .with(crashFault)
          .undoing(transactions)
          .at(SomeSteps.on(database))
          .run();
    }

    private TestWorld world(JdbcStores stores) throws Exception {
      return crashFault == CrashFault.GO_BACK
          ? stores.worldWithPast(setting, grain)
          : stores.world(setting, grain);
    }
  }

  @TestFactory
  Stream<DynamicTest> nothing_is_lost_reordered_or_repeated_without_need() {
    return DATABASES.stream()
        .flatMap(
            database ->
                cases(database).stream()
                    .map(
                        each ->
                            DynamicTest.dynamicTest(
                                database + ", " + each.name(), () -> run(database, each))));
  }

  private static void run(Database database, Case each) throws Exception {
    long begun = System.nanoTime();
    try (JdbcStores stores = JdbcStores.seeingNoWriters(database)) {
      CrashReport told = each.run(stores, database).assertPassed();
      System.out.printf(
          "%s: %s, %s: %s in %.1f s%n",
          SomeSteps.told(database), database, each.name(), told, (System.nanoTime() - begun) / 1e9);
    }
  }
}
