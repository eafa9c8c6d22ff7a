package dev.outbox.tck.relay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RelayListener;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Publishers, policies, classifiers and listeners that throw. */
public abstract class ThrowingCases extends RelayCases {
  protected ThrowingCases(Opener opener) {
    super(opener);
  }

  @Test
  void a_publisher_that_throws_an_error_fails_its_messages_only() throws Exception {
    AtomicBoolean sick = new AtomicBoolean(true);
    Publisher direct =
        flight -> {
          if (sick.get()) {
            throw new StackOverflowError("too deep");
          }
          broker.publisher().publish(flight);
        };
    survives(direct, sick);
  }

  @Test
  void a_blocking_publisher_that_throws_an_error_fails_its_messages_only() throws Exception {
    AtomicBoolean sick = new AtomicBoolean(true);
    survives(
        Publisher.blocking(
            envelope -> {
              throwIf(sick);
              broker.receive(envelope);
            }),
        sick);
  }

  @Test
  void an_async_publisher_that_throws_an_error_fails_its_messages_only() throws Exception {
    AtomicBoolean sick = new AtomicBoolean(true);
    survives(
        Publisher.async(
            envelope -> {
              throwIf(sick);
              return CompletableFuture.runAsync(
                  () -> {
                    try {
                      broker.receive(envelope);
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                  },
                  Runnable::run);
            }),
        sick);
  }

  @Test
  void a_routed_publisher_that_throws_an_error_fails_its_messages_only() throws Exception {
    AtomicBoolean sick = new AtomicBoolean(true);
    Publisher routed =
        flight -> {
          throwIf(sick);
          broker.publisher().publish(flight);
        };
    survives(Publisher.route(Map.of(TOPIC, routed)), sick);
  }

  private static void throwIf(AtomicBoolean sick) {
    if (sick.get()) {
      throw new NoClassDefFoundError("missing");
    }
  }

  private void survives(Publisher publisher, AtomicBoolean sick) throws Exception {
    ManualRelay relay = started(relay("a", publisher));
    commit(numbered("a", 2));
    relay.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 2, 0, 0));
    sick.set(false);
    pass(REST);
    relay.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 2));
    assertEmpty();
  }

  @Test
  void an_exception_whose_text_throws_is_a_failure() throws Exception {
    Exception mute =
        new Exception() {
          private static final long serialVersionUID = 1L;

          @Override
          public String getMessage() {
            throw new IllegalStateException("no text");
          }
        };
    ManualRelay relay =
        started(
            relay(
                "a",
                Publisher.blocking(
                    envelope -> {
                      throw mute;
                    })));
    commit(message("a", "a 0"));
    relay.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 1, 0, 0));
  }

  @Test
  void a_policy_that_throws_or_answers_nothing_does_not_stop_the_relay() throws Exception {
    ManualRelay relay =
        started(
            relay("a", broker.publisher())
                .retry(
                    (attempts, failing) -> {
                      if (attempts == 1) {
                        return AnswerCases.nothing();
                      }
                      throw new IllegalStateException("no policy");
                    }));
    broker.failNext(2, new IllegalStateException("no room"));
    commit(message("a", "a 0"));
    for (int look = 0; look < 3; look++) {
      relay.drainNow();
      pass(Duration.ofMinutes(1));
    }
    assertThat(texts("a")).containsExactly("a 0");
    assertEmpty();
  }

  @Test
  void a_classifier_that_throws_does_not_stop_the_relay() throws Exception {
    Publisher failing =
        Publisher.blocking(
            envelope -> {
              throw new IllegalStateException("no room");
            });
    ManualRelay relay =
        started(
            relay(
                "a",
                failing.classify(
                    cause -> {
                      throw new IllegalArgumentException("no idea");
                    })));
    commit(numbered("a", 3));
    relay.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 3, 0, 0));
  }

  @Test
  void a_listener_that_throws_changes_nothing() throws Exception {
    RelayListener grumpy =
        new RelayListener() {
          @Override
          public void settled(Settled settled) {
            throw new IllegalStateException("leave me alone");
          }

          @Override
          public void deadLettered(Envelope envelope, DeadLetter.Reason reason, String error) {
            throw new AssertionError("leave me alone");
          }
        };
    broker.rejectIf(envelope -> envelope.payload().text().equals("a 0"), "no such account");
    ManualRelay relay = started(relay("a", broker.publisher()).listener(grumpy));
    commit(numbered("a", 3));
    relay.drainNow();
    assertThat(texts("a")).containsExactly("a 1", "a 2");
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 0, 0, 1));
  }
}
