package dev.outbox.jdbc.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.jdbc.LooksAtWriters;
import dev.outbox.jdbc.failover.Broker.Answer;
import dev.outbox.jdbc.failover.Plan.Way;
import dev.outbox.jdbc.proof.Proof;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Messages are in flight while their rows are lost, and new ones get their ids: none of the new
 * ones is lost, and none gets the answer to an old one. See issue 17.
 */
@LooksAtWriters
final class IdsGivenAgainTest {
  private static final Database[] SERVERS = {Database.POSTGRES, Database.MYSQL, Database.MARIADB};
  private static final Database[] ALL = {
    Database.H2, Database.POSTGRES, Database.MYSQL, Database.MARIADB
  };

  @TestFactory
  Stream<DynamicTest> a_message_with_the_id_of_one_that_is_answered_later_is_published() {
    return Proof.together(
        ALL,
        (database, random) -> {
          try (Repetitions repetitions = new Repetitions(random)) {
            for (Answer answer : Answer.values()) {
              playEachWay(repetitions, TableLoss.DELETED, database, way -> Plan.ofOne(way, answer));
            }
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> a_restore_under_a_relay_loses_nothing_that_is_written_after_it() {
    return Proof.together(
        SERVERS,
        (database, random) -> {
          try (Repetitions repetitions = new Repetitions(random)) {
            playEachWay(repetitions, TableLoss.RESTORED, database, Plan::of);
            playEachWay(
                repetitions, TableLoss.RESTORED, database, way -> Plan.of(way).withMixedAnswers());
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> a_truncate_under_a_relay_loses_nothing_that_is_written_after_it() {
    return Proof.together(
        SERVERS,
        (database, random) -> {
          try (Repetitions repetitions = new Repetitions(random)) {
            playEachWay(repetitions, TableLoss.TRUNCATED, database, Plan::of);
            if (database == Database.POSTGRES) {
              playEachWay(repetitions, TableLoss.TRUNCATED_IDS_GO_ON, database, Plan::of);
            }
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> a_dump_into_new_tables_loses_nothing_that_is_written_after_it() {
    return Proof.together(
        SERVERS,
        (database, random) -> {
          try (Repetitions repetitions = new Repetitions(random)) {
            playEachWay(repetitions, TableLoss.DUMPED, database, Plan::of);
            playEachWay(repetitions, TableLoss.DUMPED_WITH_ROWS, database, Plan::of);
            playEachWay(repetitions, TableLoss.MADE_ANEW, database, Plan::of);
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> ids_that_parked_dead_and_archived_messages_have_stop_no_lane() {
    return Proof.together(
        ALL,
        (database, random) -> {
          try (Repetitions repetitions = new Repetitions(random)) {
            for (TableLoss loss : List.of(TableLoss.TRUNCATED, TableLoss.DUMPED)) {
              playEachWay(repetitions, loss, database, way -> Plan.of(way).withIdsTaken());
            }
          }
        });
  }

  private static void playEachWay(
      Repetitions repetitions, TableLoss loss, Database database, Function<Way, Plan> plans)
      throws Exception {
    for (Way way : repetitions.ways()) {
      if (way == Way.ROWS && loss == TableLoss.DUMPED_WITH_ROWS) {
        continue; // writers wait for claims whose rows have the ids that they are given
      }
      List<Account> accounts =
          repetitions.play(loss + " on " + database, plans.apply(way), once(loss, database));
      assertThat(accounts)
          .as("ids are given again")
          .allMatch(account -> account.again() > 0 != (loss == TableLoss.TRUNCATED_IDS_GO_ON));
      repetitions.requireNothingStuck(accounts);
    }
  }

  private static Repetitions.Play once(TableLoss loss, Database database) {
    return (plan, random) -> {
      try (Sandbox sandbox = database.sandbox()) {
        Line line = new Line(sandbox.url(), sandbox.user(), sandbox.password());
        try (Site site = new Site(line, plan, random)) {
          return site.suffer(loss.in(sandbox));
        }
      }
    };
  }
}
