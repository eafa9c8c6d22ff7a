package dev.outbox.internal.enqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.spi.Wakeup;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.NewEnvelope;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CommitWakeupsTest {
  private final Wakeup wakeup = Wakeup.inProcess();
  private final CommitWakeups commitWakeups = new CommitWakeups(wakeup);
  private final List<String> heard = new ArrayList<>();
  private final Connection connection = connection();

  @BeforeEach
  void listen() {
    wakeup.subscribe(
        new Wakeup.Listener() {
          @Override
          public void woken(Set<Lane> lanes) {
            heard.add("woken " + new TreeSet<>(lanes));
          }

          @Override
          public void hinted(Set<Lane> lanes) {
            heard.add("hinted " + new TreeSet<>(lanes));
          }
        });
  }

  @Test
  void a_raw_connection_leaves_a_hint_of_its_lanes() {
    commitWakeups.wrote(connection, List.of(message(1), message(2), message(1)));

    assertThat(heard).containsExactly("hinted [1, 2]");
  }

  @Test
  void a_delayed_message_leaves_no_hint() {
    commitWakeups.wrote(connection, List.of(delayed(1)));
    commitWakeups.wrote(connection, List.of(delayed(1), message(2)));

    assertThat(heard).containsExactly("hinted [2]");
  }

  @Test
  void a_framework_wakes_the_lanes_after_the_commit_only() {
    Runnable afterCommit = commitWakeups.afterCommit(List.of(message(1), message(3), delayed(2)));
    assertThat(heard).isEmpty();

    afterCommit.run();
    assertThat(heard).containsExactly("woken [1, 3]");
  }

  @Test
  void a_framework_wakes_nobody_for_delayed_messages() {
    commitWakeups.afterCommit(List.of(delayed(2))).run();

    assertThat(heard).isEmpty();
  }

  @Nested
  class A_plain_transaction {
    @Test
    void wakes_once_with_all_its_lanes() {
      commitWakeups.begun(connection);
      commitWakeups.wrote(connection, List.of(message(1)));
      commitWakeups.wrote(connection, List.of(message(2), delayed(3)));
      assertThat(heard).isEmpty();

      commitWakeups.committed(connection);
      assertThat(heard).containsExactly("woken [1, 2]");
    }

    @Test
    void that_wrote_only_delayed_messages_wakes_nobody() {
      commitWakeups.begun(connection);
      commitWakeups.wrote(connection, List.of(delayed(1)));
      commitWakeups.committed(connection);

      assertThat(heard).isEmpty();
    }

    @Test
    void that_wrote_nothing_here_wakes_anywhere() {
      commitWakeups.begun(connection);
      commitWakeups.committed(connection);

      assertThat(heard).containsExactly("woken []");
    }

    @Test
    void that_writes_through_another_connection_object_is_hinted_and_wakes_anywhere() {
      commitWakeups.begun(connection);
      commitWakeups.wrote(connection(), List.of(message(1)));
      commitWakeups.committed(connection);

      assertThat(heard).containsExactly("hinted [1]", "woken []");
    }

    @Test
    void that_rolls_back_wakes_nobody_and_leaves_the_connection_raw() {
      commitWakeups.begun(connection);
      commitWakeups.wrote(connection, List.of(message(1)));
      commitWakeups.rolledBack(connection);
      assertThat(heard).isEmpty();

      commitWakeups.wrote(connection, List.of(message(2)));
      assertThat(heard).containsExactly("hinted [2]");
    }

    @Test
    void forgets_what_the_connection_wrote_before() {
      commitWakeups.begun(connection);
      commitWakeups.wrote(connection, List.of(message(1)));
      commitWakeups.committed(connection);
      heard.clear();

      commitWakeups.begun(connection);
      commitWakeups.wrote(connection, List.of(message(2)));
      commitWakeups.committed(connection);
      assertThat(heard).containsExactly("woken [2]");
    }
  }

  private static NewEnvelope message(int lane) {
    return outgoing(lane, null);
  }

  private static NewEnvelope delayed(int lane) {
    return outgoing(lane, new Message.Due.After(Duration.ofSeconds(1)));
  }

  private static NewEnvelope outgoing(int lane, Message.@Nullable Due due) {
    Payload payload = new Payload("text/plain", new byte[0]);
    Envelope envelope = new Envelope(MessageId.next(), "t", null, Map.of(), payload, null);
    return new NewEnvelope(new Lane(lane), envelope, due);
  }

  /** All of them say that they are the same. */
  private static Connection connection() {
    return (Connection)
        Proxy.newProxyInstance(
            CommitWakeupsTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, arguments) -> method.getName().equals("equals") ? true : 1);
  }
}
