package dev.outbox.jdbc.failover;

import dev.outbox.jdbc.failover.Plan.Way;
import dev.outbox.jdbc.proof.Proof;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.SoftAssertions;

/**
 * Plays a loss as often as asked: once in the daily build, with {@code -Doutbox.failovers=20} so
 * often by lanes, and a quarter of that by rows, with mixed answers, and with ids that are taken.
 * Closed, it fails when anything was lost.
 *
 * <p>Used by one thread.
 */
final class Repetitions implements AutoCloseable {
  private static final int ASKED = Integer.getInteger("outbox.failovers", 1);

  private final Random random;
  private final SoftAssertions found = new SoftAssertions();

  Repetitions(Random random) {
    this.random = random;
  }

  /** One loss on new tables. */
  interface Play {
    Account run(Plan plan, Random random) throws Exception;
  }

  /** In the daily build one of the ways, most often one lane, where ids meet most. */
  List<Way> ways() {
    Way many = random.nextBoolean() ? Way.MANY_LANES : Way.ROWS;
    return ASKED > 1 ? List.of(Way.values()) : List.of(random.nextBoolean() ? Way.ONE_LANE : many);
  }

  private static int count(Plan plan) {
    return plan.isPlain() ? ASKED : Math.max(1, ASKED / 4);
  }

  /** Plays it, tells what became of the messages, and goes on. */
  List<Account> play(String what, Plan plan, Play play) throws Exception {
    List<Account> accounts = new ArrayList<>();
    for (int left = count(plan); left > 0; left--) {
      accounts.add(play.run(plan, new Random(random.nextLong())));
    }
    String where = "%s, %s, %s".formatted(what, plan.way(), plan.special());
    Proof.tell(where + ": " + Account.summary(accounts));
    found.assertThat(accounts).as(where).allMatch(Account::isWhole);
    return accounts;
  }

  /** Whatever could be delivered was, by each of them. */
  void requireNothingStuck(List<Account> accounts) {
    found.assertThat(accounts).allMatch(account -> account.stuck().isEmpty(), "nothing stuck");
  }

  @Override
  public void close() {
    found.assertAll();
  }
}
