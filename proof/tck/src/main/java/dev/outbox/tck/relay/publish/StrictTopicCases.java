package dev.outbox.tck.relay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** On a strict topic a dead letter holds its key until a person decides. */
public abstract class StrictTopicCases extends RelayCases {
  protected StrictTopicCases(Opener opener) {
    super(opener);
  }

  private ManualRelay strictWithDeadHead() throws Exception {
    store().topics().change(TOPIC, setting -> setting.withStrict(true));
    broker.rejectIf(envelope -> envelope.payload().text().equals("a 1"), "no such account");
    ManualRelay relay = started("a");
    commit(numbered("a", 4));
    commit(numbered("b", 2));
    relay.drainNow();
    assertThat(texts("a")).containsExactly("a 0");
    assertThat(texts("b")).isEqualTo(numbers("b", 2));
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 2, 0, 1));
    return relay;
  }

  private List<DeadLetter.Id> numbers() {
    return dead().stream().map(DeadLetter::id).toList();
  }

  private void settle(ManualRelay relay) throws Exception {
    relay.drainNow();
    pass(Duration.ofSeconds(2));
    relay.drainNow();
  }

  @Test
  void its_followers_wait_whatever_happens_until_it_is_replayed_and_goes_first() throws Exception {
    ManualRelay relay = strictWithDeadHead();
    pass(Duration.ofHours(1));
    commit(message("a", "a 4"));
    settle(relay);
    relay.close();
    ManualRelay other = started("b");
    settle(other);
    assertThat(texts("a")).containsExactly("a 0");

    broker.heal();
    assertThat(deadLetters().replay(numbers())).isEqualTo(1);
    settle(other);

    assertThat(texts("a")).isEqualTo(numbers("a", 5));
    assertEmpty();
  }

  @Test
  void its_followers_go_on_once_it_is_discarded() throws Exception {
    ManualRelay relay = strictWithDeadHead();
    assertThat(deadLetters().discard(numbers())).isEqualTo(1);
    settle(relay);
    commit(message("a", "a 4"));
    settle(relay);
    assertThat(texts("a")).containsExactly("a 0", "a 2", "a 3", "a 4");
    assertEmpty();
  }

  @Test
  void a_key_without_followers_is_free_once_its_dead_letter_is_discarded() throws Exception {
    store().topics().change(TOPIC, setting -> setting.withStrict(true));
    broker.rejectIf(envelope -> envelope.payload().text().equals("a 0"), "no such account");
    ManualRelay relay = started("a");
    commit(message("a", "a 0"));
    settle(relay);
    deadLetters().discard(numbers());
    commit(message("a", "a 1"));
    settle(relay);
    assertThat(texts("a")).containsExactly("a 1");
    assertEmpty();
  }

  @Test
  void one_that_dies_again_holds_its_key_again() throws Exception {
    ManualRelay relay = strictWithDeadHead();
    deadLetters().replay(numbers());
    settle(relay);
    assertThat(texts("a")).containsExactly("a 0");
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 2, 0, 1));
    broker.heal();
    deadLetters().replay(numbers());
    settle(relay);
    assertThat(texts("a")).isEqualTo(numbers("a", 4));
    assertEmpty();
  }
}
