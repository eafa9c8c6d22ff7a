package dev.outbox.tck.store.row;

import static dev.outbox.tck.fixture.Sample.unkeyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.testkit.internal.Crew;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several workers at a time get each message once. */
public abstract class ManyWorkersCases extends RowCases {
  protected ManyWorkersCases(Opener opener) {
    super(opener);
  }

  @Test
  void four_workers_promote_each_message_once() throws Exception {
    for (int i = 0; i < 40; i++) {
      commit(Sample.after(SOON, "m " + i));
    }
    passTime(SOON.plusSeconds(1));
    List<Callable<Integer>> workers = new ArrayList<>();
    for (int number = 0; number < 4; number++) {
      RowStore worker = worker();
      workers.add(() -> IntStream.range(0, 20).map(round -> worker.promoteDue(3)).sum());
    }
    assertThat(Crew.together(workers).stream().mapToInt(count -> count).sum()).isEqualTo(40);
    try (RowClaim claim = worker().claim(100)) {
      assertThat(claimed(claim)).hasSize(40).doesNotHaveDuplicates();
    }
  }

  @Test
  void four_workers_deliver_each_of_four_thousand_messages_once() throws Exception {
    long deadlocks = environment().deadlocks();
    int total = 4_000;
    Set<String> delivered = ConcurrentHashMap.newKeySet();
    AtomicInteger repeats = new AtomicInteger();
    List<Callable<Integer>> crew = new ArrayList<>();
    for (int number = 0; number < 4; number++) {
      String name = "writer " + number;
      crew.add(() -> write(name, total / 4));
      RowStore worker = worker();
      Random dice = seeded("row worker " + number);
      crew.add(() -> work(worker, dice, delivered, repeats, total));
    }
    Crew.together(crew);
    assertThat(delivered).hasSize(total);
    assertThat(repeats).hasValue(0);
    assertThat(environment().deadlocks()).isEqualTo(deadlocks);
  }

  private int write(String name, int count) throws Exception {
    for (int i = 0; i < count; i += 10) {
      List<NewEnvelope> messages = new ArrayList<>();
      for (int j = i; j < i + 10; j++) {
        messages.add(unkeyed(name + " " + j));
      }
      commit(messages);
    }
    return count;
  }

  /** Delivers, fails, leaves and rolls back at random, until all are delivered. */
  private static int work(
      RowStore worker, Random dice, Set<String> delivered, AtomicInteger repeats, int total) {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (delivered.size() < total && System.nanoTime() < deadline) {
      try (RowClaim claim =
          dice.nextInt(4) == 0 ? worker.claimDue(50, Set.of()) : worker.claim(50)) {
        List<Fate> fates = new ArrayList<>();
        for (StoredEnvelope storedEnvelope : claim.messages()) {
          switch (dice.nextInt(10)) {
            case 0 -> fates.add(fail(storedEnvelope, Duration.ZERO));
            case 1 -> assertThat(storedEnvelope).isNotNull();
            default -> fates.add(deliver(storedEnvelope));
          }
        }
        if (dice.nextInt(10) > 0) {
          claim.settle(fates);
          texts(
                  fates.stream()
                      .filter(Fate.Deliver.class::isInstance)
                      .map(Fate::storedEnvelope)
                      .toList())
              .forEach(text -> repeats.addAndGet(delivered.add(text) ? 0 : 1));
        }
      }
    }
    return delivered.size();
  }
}
