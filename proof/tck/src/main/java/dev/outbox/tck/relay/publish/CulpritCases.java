package dev.outbox.tck.relay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter;
import dev.outbox.message.Message;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.tck.fixture.FragileChannel;
import dev.outbox.tck.fixture.FragileChannel.Loss;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.testkit.ManualRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One message that the broker closes the channel for ends as a dead letter, and the rest flows. */
public abstract class CulpritCases extends RelayCases {
  private static final int KEYS = 8;
  private static final int ATTEMPTS = 3;
  private static final int MOST_SECONDS = 600;

  /** To pass time is dear where the tables are a database's. */
  private static final int STEP_SECONDS = 4;

  private static final String CULPRIT = "culprit";

  private final AtomicInteger counted = new AtomicInteger();

  protected CulpritCases(Opener opener) {
    super(opener);
  }

  /** A message of key {@code number} modulo 8, where keys are taken. */
  protected Message message(int number, String text) {
    return message("k" + number % KEYS, text);
  }

  @ParameterizedTest
  @EnumSource
  void one_message_that_closes_the_channel_ends_as_a_dead_letter_and_the_rest_flows(Loss loss)
      throws Exception {
    List<Message> messages = new ArrayList<>();
    for (int number = 0; number < 100; number++) {
      messages.add(message(number, number == 40 ? CULPRIT : fine(number)));
    }

    play(messages, loss);

    assertArrivedInOrder(99);
    assertThat(dead()).singleElement().satisfies(CulpritCases::saysWhy);
    assertThat(counted).as("attempts, all of the culprit").hasValue(ATTEMPTS);
  }

  @ParameterizedTest
  @EnumSource
  void several_of_them_do_too(Loss loss) throws Exception {
    List<Message> messages = new ArrayList<>();
    for (int number = 0; number < 60; number++) {
      messages.add(message(number, number % 20 < 2 ? CULPRIT : fine(number)));
    }

    play(messages, loss);

    assertArrivedInOrder(54);
    assertThat(dead()).hasSize(6).allSatisfy(CulpritCases::saysWhy);
    assertThat(counted).as("attempts, all of the culprits").hasValue(6 * ATTEMPTS);
  }

  private static void saysWhy(DeadLetter letter) {
    assertThat(letter.reason()).isEqualTo(DeadLetter.Reason.EXHAUSTED);
    assertThat(letter.attempts()).isEqualTo(ATTEMPTS);
    assertThat(letter.error())
        .contains("ended in an outage while others of its topic were delivered")
        .endsWith("java.net.SocketException: the broker closed the channel");
  }

  /** The rest flows from the beginning to the end: that is what shows that there is no outage. */
  private void play(List<Message> messages, Loss loss) throws Exception {
    RetryPolicy policy =
        (attempts, failing) -> {
          counted.incrementAndGet();
          return Optional.of(REST).filter(rest -> attempts < ATTEMPTS);
        };
    FragileChannel channel =
        new FragileChannel(broker, each -> each.payload().text().equals(CULPRIT), loss);
    ManualRelay relay = started(relay("a", channel).retry(policy).batch(50));
    commit(messages);
    int seconds = 0;
    relay.drainNow();
    while (tableCounts().ready() + tableCounts().parked() > 0 && seconds < MOST_SECONDS) {
      seconds += STEP_SECONDS;
      pass(Duration.ofSeconds(STEP_SECONDS));
      commit(message(seconds / STEP_SECONDS, "flows"));
      relay.drainNow();
    }
    System.out.printf("over after %d s, loss of %s%n", seconds, loss);
  }

  private static String fine(int number) {
    return "fine %03d".formatted(number);
  }

  private void assertArrivedInOrder(int count) {
    assertThat(texts().stream().filter(text -> text.startsWith("fine"))).hasSize(count);
    for (int key = 0; key < KEYS; key++) {
      assertThat(texts("k" + key).stream().filter(text -> text.startsWith("fine")).toList())
          .isSorted();
    }
    assertThat(broker.repeats()).isEmpty();
  }
}
