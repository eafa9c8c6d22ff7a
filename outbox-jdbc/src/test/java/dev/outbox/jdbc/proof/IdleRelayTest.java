package dev.outbox.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What a relay with the default settings asks of the server when there is nothing to do. */
@OneAtATime
class IdleRelayTest {
  private static final int MOST_A_SECOND = 3;
  private static final Duration WATCHED = Proof.seconds(15, 60);

  /** In a short time the renewals count for more, if it happens to begin just before one. */
  private static final int BESIDES = Proof.size(4, 0);

  /** Until the rests have grown to a full poll. */
  private static final Duration UNTIL_IT_RESTS = Duration.ofSeconds(4);

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TestFactory
  Stream<DynamicTest> an_idle_relay_asks_the_server_at_most_three_times_a_second() {
    return Proof.together(Proof.ALL, IdleRelayTest::run);
  }

  private static void run(Database database, Random random) throws Exception {
    try (Stage stage = Stage.byLanes(database);
        StatementLog log = StatementLog.open(stage.sandbox());
        Relay relay =
            Relay.builder(JdbcStore.create(stage.sandbox().pool(4)), Publisher.blocking(e -> {}))
                .name("idle")
                .start()) {
      assertThat(relay.name()).startsWith("idle");
      stage.awaitLanes(PATIENCE, Map.of("idle", Stage.LANES));
      Await.pause(UNTIL_IT_RESTS);
      log.begin();
      long begun = System.nanoTime();
      Await.pause(WATCHED);
      Map<String, Integer> statements = log.end();
      Duration watched = Duration.ofNanos(System.nanoTime() - begun);
      int all = statements.values().stream().mapToInt(Integer::intValue).sum();
      Proof.tell("%s: %d statements of an idle relay in %s".formatted(database, all, watched));
      assertThat(all)
          .as("statements in %s, by text: %s", watched, told(statements))
          .isPositive()
          .isLessThanOrEqualTo((int) (MOST_A_SECOND * watched.toMillis() / 1000) + BESIDES);
    }
  }

  private static String told(Map<String, Integer> statements) {
    StringBuilder told = new StringBuilder();
    statements.forEach(
        (text, times) ->
            told.append(
                "\n%5d x %s".formatted(times, text.substring(0, Math.min(160, text.length())))));
    return told.toString();
  }
}
