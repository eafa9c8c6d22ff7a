package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.base.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NearPublishingTest {
  private Ticker.Moment now = Samples.atSecond(0);
  private final List<Runnable> given = new ArrayList<>();
  private final NearPublishing near = new NearPublishing(given::add, 1, () -> now);
  private int published;

  @Test
  void nothing_is_kept_until_the_publisher_is_known_to_return_at_once() {
    near.executeAlone(this::publish);

    assertThat(near.hasKept()).isFalse();
    assertThat(given).hasSize(1);
  }

  @Test
  void what_is_alone_is_kept_for_the_thread_of_the_loop() {
    becomeQuick();

    near.executeAlone(this::publish);
    assertThat(near.hasKept()).isTrue();
    near.run(near.take());

    assertThat(published).isEqualTo(2);
    assertThat(near.take()).isNull();
    near.executeAlone(this::publish);
    assertThat(near.hasKept()).isTrue();
  }

  @Test
  void what_is_not_alone_goes_to_a_publish_thread() {
    becomeQuick();

    near.execute(this::publish);

    assertThat(near.hasKept()).isFalse();
    assertThat(given).hasSize(1);
  }

  @Test
  void a_call_that_takes_longer_than_a_millisecond_is_the_last_on_the_thread_of_the_loop() {
    becomeQuick();
    near.executeAlone(() -> now = Samples.at(Duration.ofMillis(1)));
    near.run(near.take());

    near.executeAlone(this::publish);

    assertThat(near.hasKept()).isFalse();
  }

  @Test
  void no_more_calls_are_made_at_once_than_there_are_publish_threads() throws Exception {
    becomeQuick();
    near.executeAlone(this::publish);
    near.execute(this::publish);
    Thread second = new Thread(given.remove(0));
    second.start();
    second.join(100);
    assertThat(published).as("while the first has not returned").isEqualTo(1);

    near.run(near.take());
    second.join();

    assertThat(published).isEqualTo(3);
  }

  @Test
  void one_that_stands_in_for_a_stuck_call_may_publish_until_that_is_back() {
    becomeQuick();
    near.executeAlone(this::publish);
    Runnable stuck = near.take();
    near.standInFor(1);

    near.executeAlone(this::publish);
    assertThat(near.hasKept()).isTrue();
    near.run(near.take());
    near.run(stuck);
    near.standInFor(0);

    near.executeAlone(this::publish);
    near.executeAlone(this::publish);
    assertThat(given).as("the second").hasSize(1);
  }

  @Test
  void what_no_thread_takes_while_the_relay_ends_stays_where_it_is() {
    NearPublishing ended =
        new NearPublishing(
            task -> {
              throw new RejectedExecutionException();
            },
            1,
            () -> now);

    ended.elsewhere(this::publish);

    assertThat(published).isZero();
  }

  @Test
  void a_thread_that_is_interrupted_while_it_waits_publishes_nothing() throws Exception {
    becomeQuick();
    near.executeAlone(this::publish);
    near.execute(this::publish);
    Thread second = new Thread(given.remove(0));
    second.start();

    second.interrupt();
    second.join();

    assertThat(published).isEqualTo(1);
  }

  @Test
  void an_error_neither_escapes_nor_keeps_its_place() {
    becomeQuick();
    near.executeAlone(
        () -> {
          throw new StackOverflowError();
        });

    near.run(near.take());

    near.executeAlone(this::publish);
    assertThat(near.hasKept()).isTrue();
  }

  private void becomeQuick() {
    near.execute(this::publish);
    given.remove(0).run();
  }

  private void publish() {
    published++;
  }
}
