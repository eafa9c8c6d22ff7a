package dev.outbox.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.servers.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The eye sees what it is there to see, so that its silence means something. */
@OneAtATime
class ServerEyeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TestFactory
  Stream<DynamicTest> a_session_that_waits_for_another_is_seen() {
    return Proof.together(Proof.ALL, ServerEyeTest::waiting);
  }

  private static void waiting(Database database, Random random) throws Exception {
    try (Stage stage = Stage.byLanes(database);
        Connection holder = stage.sandbox().open();
        Connection rival = stage.sandbox().open();
        Connection admin = stage.sandbox().openAdmin();
        Statement hold = holder.createStatement();
        Statement claim = rival.createStatement()) {
      ServerEye eye = new ServerEye(stage.sandbox());
      long session = eye.session(holder);
      holder.setAutoCommit(false);
      stage.ledger().write(holder, List.of(new Passage("same", Passage.TOPIC, "k", 1)));
      holder.commit();
      change(hold);
      assertThat(eye.waitingFor(admin, session)).isZero();

      CompletableFuture<Void> waiting =
          CompletableFuture.runAsync(
              () -> change(claim), task -> new Thread(task, "rival").start());
      Await.until("seen", PATIENCE, () -> eye.waitingFor(admin, session) == 1);
      holder.commit();
      waiting.join();
      Await.until("seen no more", PATIENCE, () -> eye.waitingFor(admin, session) == 0);
    }
  }

  private static void change(Statement statement) {
    try {
      statement.execute("UPDATE proof_ledger SET seq = seq + 1 WHERE message_id = 'same'");
    } catch (SQLException e) {
      throw new CompletionException(e);
    }
  }

  @TestFactory
  Stream<DynamicTest> statements_are_counted_by_text_without_transaction_control() {
    return Proof.together(Proof.ALL, ServerEyeTest::counting);
  }

  private static void counting(Database database, Random random) throws Exception {
    try (Stage stage = Stage.byLanes(database);
        StatementLog log = StatementLog.open(stage.sandbox());
        Connection connection = stage.sandbox().open()) {
      connection.setAutoCommit(false);
      ServerEye.column(connection, "SELECT COUNT(*) FROM outbox");
      connection.commit();
      log.begin();
      for (int time = 0; time < 3; time++) {
        ServerEye.column(connection, "SELECT COUNT(*) FROM outbox_parked");
        connection.commit();
      }
      assertThat(log.end()).containsOnlyKeys("SELECT COUNT(*) FROM outbox_parked").containsValue(3);
    }
  }
}
