package dev.outbox.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.servers.Database;
import dev.outbox.testkit.network.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * A relay whose host vanishes for the database: no packet comes any more, nothing is reset, and its
 * sessions are left with open transactions and locks.
 *
 * <p>Not on H2, which has no limit for a session that waits: there the dead one's locks stay until
 * somebody ends its session.
 */
@OneAtATime
class VanishedHostTest {
  private static final String GONE = "gone";
  private static final String OTHER = "other";
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration TAKEOVER = LEASE.plusSeconds(1);
  private static final Duration PUBLISH_DEADLINE = Duration.ofSeconds(1);

  private static final Duration QUICKLY = Duration.ofMillis(5);

  /** A flight is still in flight when the silence begins, also where that takes a while. */
  private static final Duration SLOWLY = Duration.ofMillis(30);

  /** What the store leaves to a claim beyond its publish deadline. */
  private static final Duration CLAIM_LIMIT = PUBLISH_DEADLINE.plusSeconds(10);

  private static final Duration MARGIN = Proof.seconds(6, 1);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TestFactory
  Stream<DynamicTest> what_a_vanished_host_held_comes_free_in_time() {
    return Stream.concat(
        Proof.together("lanes in mid-settle", Proof.SERVERS, VanishedHostTest::byLanes),
        Proof.together("rows in mid-publish", Proof.SERVERS, VanishedHostTest::byRows));
  }

  private static void byLanes(Database database, Random random) throws Exception {
    try (Stage stage = Stage.byLanes(database);
        TcpProxy network = TcpProxy.before(stage.sandbox().url());
        Writers writers = writers(stage, 200)) {
      RelayProcess gone = join(stage, network.through(withTextInEveryPacket(stage)), QUICKLY);
      writers.start(random);
      stage.awaitLanes(PATIENCE, Map.of(GONE, 16, OTHER, 16));
      stage.awaitTraffic(PATIENCE, List.of(GONE, OTHER));
      long warm = System.nanoTime();
      network.silenceAt(sent -> sent.contains("DELETE"));
      network.awaitSilence(PATIENCE);
      long silent = System.nanoTime();
      Set<String> unsettled = stage.ready();
      Duration takeover =
          Await.since(
              silent, "takeover", TAKEOVER.plus(MARGIN), () -> !stage.lanes().containsKey(GONE));
      stage.awaitSettled(unsettled, PATIENCE);
      Set<String> inFlight = stage.inFlight(GONE, unsettled);
      Proof.tell(
          "%s: a host vanished with %d messages in flight, its lanes were taken over within %s of a lease of %s"
              .formatted(database, inFlight.size(), takeover, LEASE));
      gone.kill();
      writers.finish();
      judge(stage, inFlight, warm);
    }
  }

  private static void byRows(Database database, Random random) throws Exception {
    try (Stage stage = Stage.byRows(database);
        TcpProxy network = TcpProxy.before(stage.sandbox().url());
        Writers writers = writers(stage, 0)) {
      RelayProcess gone = join(stage, network.through(stage.sandbox().url()), SLOWLY);
      writers.start(random);
      stage.awaitTraffic(PATIENCE, List.of(GONE, OTHER));
      long warm = System.nanoTime();
      Await.until("in mid-publish", PATIENCE, () -> !stage.journals().inMidPublish(GONE).isEmpty());
      network.silence();
      long silent = System.nanoTime();
      Set<String> unsettled = stage.ready();
      Duration takeover =
          Await.since(
              silent,
              "all that was ready at the silence is settled",
              CLAIM_LIMIT.plus(MARGIN).plus(PUBLISH_DEADLINE),
              () -> stage.ready().stream().noneMatch(unsettled::contains));
      Set<String> inFlight = stage.inFlight(GONE, unsettled);
      Proof.tell(
          "%s: a host vanished with %d rows claimed, which were settled by another within %s of a limit of %s"
              .formatted(database, inFlight.size(), takeover, CLAIM_LIMIT));
      assertThat(inFlight).isNotEmpty();
      gone.kill();
      writers.finish();
      judge(stage, inFlight, warm);
    }
  }

  /** So that the proxy sees what the client says: the server must not remember any statement. */
  private static String withTextInEveryPacket(Stage stage) {
    String url = stage.sandbox().url();
    return stage.database() == Database.POSTGRES ? url + "?prepareThreshold=0" : url;
  }

  private static Writers writers(Stage stage, int keys) {
    return stage.writers(
        Writers.Plan.steady(3, Duration.ofMillis(40)), new KeyRing(keys), Long.MAX_VALUE);
  }

  private static RelayProcess join(Stage stage, String url, Duration perMessage) {
    List<RelayProcess> relays =
        stage
            .fleet()
            .join(
                terms(stage, GONE, LEASE)
                    .perMessage(perMessage)
                    .deadlines(PUBLISH_DEADLINE, Duration.ofSeconds(5))
                    .login(stage.login(url)),
                terms(stage, OTHER, Duration.ofSeconds(15)));
    return relays.get(0);
  }

  private static RelayTerms terms(Stage stage, String label, Duration lease) {
    return stage.terms(label).lease(lease, LEASE.dividedBy(3)).volume(20, 200).perMessage(QUICKLY);
  }

  private static void judge(Stage stage, Set<String> inFlight, long warm) throws Exception {
    stage.awaitDrained(PATIENCE);
    stage.assertOnlyRepeated(inFlight, warm, List.of(OTHER));
  }
}
