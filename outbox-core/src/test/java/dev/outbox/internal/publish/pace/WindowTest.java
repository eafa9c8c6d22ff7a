package dev.outbox.internal.publish.pace;

import static dev.outbox.publish.RecordingFlight.envelope;
import static dev.outbox.publish.RecordingFlight.keyed;
import static dev.outbox.publish.RecordingFlight.keyless;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.CountingObserver;
import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RecordingFlight;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sends that block, sends that never end, and those that wait for them. */
class WindowTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final ConcurrentLinkedQueue<Envelope> begun = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<CompletableFuture<String>> sends =
      new ConcurrentLinkedQueue<>();
  private final CountDownLatch unblocked = new CountDownLatch(1);

  @AfterEach
  void unblock() {
    unblocked.countDown();
  }

  /** As a client that waits for a connection without a time-out. */
  private CompletableFuture<String> blockingOnMails(Envelope envelope) {
    begun.add(envelope);
    if (envelope.topic().equals("mails")) {
      try {
        unblocked.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return CompletableFuture.completedFuture("receipt");
  }

  private CompletableFuture<String> start(Envelope envelope) {
    begun.add(envelope);
    CompletableFuture<String> send = new CompletableFuture<>();
    sends.add(send);
    return send;
  }

  private static RecordingFlight many(int count) {
    return RecordingFlight.of(
        Stream.generate(RecordingFlight::keyless).limit(count).toArray(Envelope[]::new));
  }

  private static Future<String> publishing(Publisher publisher, Flight flight) {
    FutureTask<String> task =
        new FutureTask<>(
            () -> {
              publisher.publish(flight);
              return "published";
            });
    Thread thread = new Thread(task, "publishing");
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  private static void await(String what, BooleanSupplier come) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!come.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      Thread.sleep(5);
    }
  }

  @Test
  void a_send_that_blocks_keeps_one_place_and_one_thread() throws Exception {
    Publisher publisher = Publisher.async(this::blockingOnMails, 2);
    RecordingFlight blocked = RecordingFlight.of(envelope("mails", null));
    Future<String> published = publishing(publisher, blocked);
    await("the blocked one begins", () -> !begun.isEmpty());

    RecordingFlight other = RecordingFlight.of(keyed("a"), keyed("a"), keyless());
    publishing(publisher, other).get(10, TimeUnit.SECONDS);
    assertThat(other.kinds()).as("what has a free place").containsOnly(Ack.Delivered.class);

    assertThat(blocked.kinds()).containsOnly(Void.class);
    unblocked.countDown();
    published.get(10, TimeUnit.SECONDS);
    assertThat(blocked.kinds()).containsOnly(Ack.Delivered.class);
  }

  @Test
  void it_holds_up_no_other_message_of_its_flight() throws Exception {
    Publisher publisher = Publisher.async(this::blockingOnMails, 3);
    Envelope other = keyless();
    RecordingFlight flight =
        RecordingFlight.of(envelope("mails", null), envelope("mails", null), other);
    Future<String> published = publishing(publisher, flight);

    await("the other one is sent", () -> flight.answer(other) != null);
    assertThat(flight.kinds()).containsExactly(Void.class, Void.class, Ack.Delivered.class);
    assertThat(published).isNotDone();
  }

  @Test
  void nor_the_rest_of_the_key_whose_answer_came_on_its_thread() throws Exception {
    Publisher publisher =
        Publisher.async(
            envelope ->
                envelope.topic().equals("mails") ? blockingOnMails(envelope) : start(envelope),
            2);
    Envelope next = keyed("a");
    publisher.publish(RecordingFlight.of(keyed("a"), next));
    publisher.publish(many(1));
    publisher.publish(RecordingFlight.of(envelope("mails", null)));
    CompletableFuture<String> first = sends.remove();
    Future<String> answered = publishing(flight -> first.complete(""), many(1));
    await("the blocked one begins", () -> begun.size() == 3);

    sends.remove().complete("");
    assertThat(begun).contains(next);
    assertThat(answered).isNotDone();
  }

  @Test
  void those_that_wait_begin_in_the_order_in_which_they_came_and_do_not_recurse() throws Exception {
    CompletableFuture<String> first = new CompletableFuture<>();
    Publisher publisher =
        Publisher.async(
            envelope -> {
              begun.add(envelope);
              return first.isDone() ? CompletableFuture.completedFuture("") : first;
            },
            1);
    List<RecordingFlight> flights = List.of(many(1), many(10_000), many(10_000));
    for (RecordingFlight flight : flights) {
      publisher.publish(flight);
    }
    first.complete("");

    assertThat(begun)
        .containsExactlyElementsOf(
            flights.stream().flatMap(flight -> flight.envelopes().stream()).toList());
    assertThat(flights).allMatch(flight -> flight.kinds().stream().allMatch(WindowTest::isSent));
  }

  private static boolean isSent(Class<?> answer) {
    return answer.equals(Ack.Delivered.class);
  }

  @Test
  void who_waits_is_told_when_it_is_too_late_though_no_place_becomes_free() throws Exception {
    Publisher publisher = Publisher.async(this::start, 1);
    RecordingFlight under = many(1);
    RecordingFlight over = RecordingFlight.of(keyless(), keyed("a"), keyed("a"));
    RecordingFlight next = many(1);
    publisher.publish(under);
    publisher.publish(over);
    publisher.publish(next);
    over.over = true;

    await("an answer", () -> !over.kinds().contains(Void.class));
    assertThat(over.kinds()).containsOnly(Ack.NotSent.class);
    sends.remove().complete("");
    assertThat(begun).containsExactly(under.envelopes().get(0), next.envelopes().get(0));
  }

  @Test
  void who_waits_is_told_of_a_recall_as_a_relay_does_that_closes() throws Exception {
    Publisher publisher = Publisher.async(this::start, 1);
    OpenFlight flight = flight(Ticker.system().now().wall(), 3);
    publisher.publish(many(1));
    publisher.publish(flight);
    flight.recall();

    await("all answers", flight::isAnswered);
    assertThat(flight.answer(2)).isInstanceOf(Ack.NotSent.class);
  }

  /** With an hour from now on, by a wall that shows this. */
  private static OpenFlight flight(Instant wall, int messages) {
    CountingObserver observer = new CountingObserver();
    observer.now = new Ticker.Moment(System.nanoTime(), wall);
    OpenFlight flight =
        new OpenFlight(
            IntStream.range(0, messages).mapToObj(id -> Samples.ready(id, null)).toList(),
            null,
            observer);
    flight.takeOff(observer.now, HOUR);
    return flight;
  }

  @Test
  void a_lost_send_gives_its_place_up_with_the_landing_though_the_clock_was_set_back()
      throws Exception {
    Publisher publisher = Publisher.route(Map.of("orders", Publisher.async(this::start, 1)));
    OpenFlight lost = flight(Instant.now(), 1);
    publisher.publish(lost);
    publisher.publish(many(1));
    lost.land();

    await("who waits begins", () -> begun.size() == 2);
  }

  @Test
  void a_send_keeps_its_place_when_the_clock_is_set_forward() throws Exception {
    Publisher publisher = Publisher.async(this::start, 1);
    publisher.publish(flight(Instant.now().minus(HOUR).minus(HOUR), 1));
    publisher.publish(many(1));

    assertThat(begun).hasSize(1);
  }
}
