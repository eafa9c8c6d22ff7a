package dev.outbox.tck.relay.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Dose;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A relay does not wade through what it has settled, and loses nothing by it. */
public abstract class FloorCases extends RelayCases {
  /** Longer than a relay takes to doubt its floors. */
  private static final Duration A_SWEEP = Duration.ofSeconds(61);

  private static final int STEPS = Dose.daily(25, 60);

  protected FloorCases(Opener opener) {
    super(opener);
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(2);
  }

  @Test
  void a_message_committed_long_after_later_ones_were_settled_is_published() throws Exception {
    ManualRelay relay = started("a");
    Connection late = begin();
    outbox().enqueue(late, message("late", "late 0"));
    for (int minute = 0; minute < 10; minute++) {
      commit(numbered("k" + minute, 3));
      relay.drainNow();
      pass(RENEWAL);
      relay.drainNow();
    }
    late.commit();
    for (int look = 0; look < 20; look++) {
      pass(RENEWAL);
      relay.drainNow();
    }
    assertThat(texts("late")).isEqualTo(numbers("late", 1));
    assertEmpty();
  }

  @Test
  void a_takeover_finds_what_was_committed_late() throws Exception {
    ManualRelay first = started("a");
    Connection late = begin();
    outbox().enqueue(late, message("late", "late 0"));
    for (int round = 0; round < 5; round++) {
      commit(numbered("k" + round, 3));
      first.drainNow();
      pass(RENEWAL);
    }
    first.close();
    late.commit();
    ManualRelay second = started("b");
    second.drainNow();
    for (int look = 0; look < 15 && !texts("late").equals(numbers("late", 1)); look++) {
      pass(RENEWAL);
      second.drainNow();
    }
    assertThat(texts("late")).isEqualTo(numbers("late", 1));
    assertEmpty();
  }

  @Test
  void random_writers_that_commit_late_lose_nothing_and_keep_their_order() throws Exception {
    Random random = seeded("late writers");
    ManualRelay relay = started("a");
    Deque<Connection> open = new ArrayDeque<>();
    List<Integer> next = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      if (open.size() < 8 && random.nextBoolean()) {
        Connection connection = begin();
        String key = "w" + next.size();
        next.add(3);
        outbox().enqueue(connection, numbered(key, 3));
        open.add(connection);
      } else if (!open.isEmpty()) {
        Connection connection = random.nextBoolean() ? open.pollFirst() : open.pollLast();
        connection.commit();
        connection.close();
      }
      if (random.nextInt(3) == 0) {
        pass(Duration.ofSeconds(1 + random.nextInt(3)));
      }
      relay.drainNow();
    }
    for (Connection connection : open) {
      connection.commit();
      connection.close();
    }
    relay.drainNow();
    pass(A_SWEEP);
    relay.drainNow();
    for (int writer = 0; writer < next.size(); writer++) {
      assertThat(texts("w" + writer)).isEqualTo(numbers("w" + writer, next.get(writer)));
    }
    assertEmpty();
  }
}
