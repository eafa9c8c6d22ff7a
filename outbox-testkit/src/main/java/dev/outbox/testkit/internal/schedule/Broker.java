package dev.outbox.testkit.internal.schedule;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Subject;
import dev.outbox.testkit.schedule.CoveredEvent;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The broker of a scene: takes what it gets unless it is down, has a whim, or the message is of
 * such a nature; and what is on its way to it.
 *
 * <p>Used by one thread.
 */
/*
 * One thing is not played: that what a relay had in flight before it stood still arrives after its message was buried by
 * another. Nothing can prevent that, and the message would come behind later ones of its key.
 */
public final class Broker {
  private static final String NAME = "broker";

  private final ScheduleRun scheduleRun;
  private final ScheduleLedger scheduleLedger;
  private final Deque<BrokerReaction> brokerReactions = new ArrayDeque<>();
  private final Map<MessageId, MessageTrait> messageTraits = new HashMap<>();
  private final Map<MessageId, Integer> numbers = new HashMap<>();
  private final List<OnItsWay> onItsWay = new ArrayList<>();
  private final List<OnItsWay> beingAnswered = new ArrayList<>();
  private boolean down;

  /** A send that the broker has not met yet. */
  private record OnItsWay(String who, Envelope envelope, CompletableFuture<Boolean> answer) {}

  /** How the broker says that it will never take a message. */
  private static final class Rejection extends Exception {
    private static final long serialVersionUID = 1L;
  }

  Broker(ScheduleRun scheduleRun) {
    this.scheduleRun = scheduleRun;
    this.scheduleLedger = scheduleRun.scheduleLedger();
  }

  /** What a message is, before it comes. */
  void expect(MessageId id, Decision.Write write) {
    messageTraits.put(id, write.messageTrait());
    numbers.put(id, write.number());
  }

  /** How stories call the messages. */
  public Map<MessageId, Integer> numbers() {
    return numbers;
  }

  /** A publisher to this broker for the relay {@code who}. */
  Publisher publisher(String who, boolean answersLater) {
    Publisher publisher =
        answersLater
            ? flight -> sendAll(who, flight)
            : scheduleRun.testWorld().publisher(envelope -> receive(who, envelope));
    return new Candid(who, publisher.classify(Broker::read), scheduleLedger);
  }

  private static Ack read(Throwable cause) {
    return cause instanceof Rejection ? Ack.rejected("no such thing") : Ack.of(cause);
  }

  /** Promises nothing of messages of one key, as a publisher that is not made by a factory. */
  private void sendAll(String who, Flight flight) {
    for (Envelope envelope : flight.envelopes()) {
      send(who, envelope)
          .whenComplete(
              (sent, thrown) ->
                  flight.ack(envelope, thrown == null ? Ack.delivered() : Ack.of(thrown)));
    }
  }

  private CompletionStage<Boolean> send(String who, Envelope envelope) {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    onItsWay.add(new OnItsWay(who, envelope, answer));
    return answer;
  }

  private void receive(String who, Envelope envelope) throws Exception {
    boolean stoodStill = scheduleRun.scheduledRelays().hasStoodStill(who);
    if (stoodStill
        && isDead(envelope.id())
        && !who.equals(scheduleLedger.buriedBy(envelope.id()))) {
      throw new ConnectException("what was buried meanwhile does not arrive");
    }
    if (down) {
      scheduleLedger.count(CoveredEvent.REFUSED);
      throw new ConnectException("the broker is down");
    }
    refuseByNature(who, envelope);
    BrokerReaction brokerReaction = brokerReactions.poll();
    if (brokerReaction == null) {
      arrive(envelope);
    } else {
      receive(who, envelope, brokerReaction);
    }
  }

  /** Asks the store only about what was buried. */
  private boolean isDead(MessageId id) {
    return scheduleLedger.buriedBy(id) != null && scheduleRun.deadMessages().contains(id);
  }

  private void refuseByNature(String who, Envelope envelope) throws Exception {
    switch (messageTraits.getOrDefault(envelope.id(), MessageTrait.PLAIN)) {
      case DOOMED -> throw new Rejection();
      case SICK -> throw new IllegalStateException("not this one");
      case DEADLY -> scheduleRun.scheduledRelays().die(who, "dies of what it sends");
      default -> {}
    }
  }

  private void receive(String who, Envelope envelope, BrokerReaction brokerReaction)
      throws Exception {
    switch (brokerReaction) {
      case REFUSE -> {
        scheduleLedger.count(CoveredEvent.REFUSED);
        throw new IllegalStateException("the broker refuses it this time");
      }
      case DOWN -> {
        scheduleLedger.count(CoveredEvent.REFUSED);
        throw new ConnectException("the broker is down for a moment");
      }
      case LOSE_CONFIRM -> {
        arrive(envelope);
        excuse(who, envelope, CoveredEvent.LOST_CONFIRM, "the confirm is lost");
        throw new TimeoutException("no confirm");
      }
      case FAIL_CONFIRM -> {
        arrive(envelope);
        excuse(
            who,
            envelope,
            CoveredEvent.LOST_CONFIRM,
            "the broker has it and answers with an error");
        throw new IllegalStateException("an error after the fact");
      }
      case TWICE -> {
        arrive(envelope);
        excuse(who, envelope, CoveredEvent.TWICE, "the broker takes it twice");
        arrive(envelope);
      }
    }
  }

  private void excuse(String who, Envelope envelope, CoveredEvent coveredEvent, String why) {
    scheduleLedger.count(coveredEvent);
    scheduleLedger.of(NoteKind.FAULT, who, Subject.of(envelope), why);
  }

  private void arrive(Envelope envelope) {
    scheduleLedger.of(NoteKind.ARRIVED, NAME, Subject.of(envelope), "");
  }

  void next(BrokerReaction brokerReaction) {
    brokerReactions.add(brokerReaction);
  }

  void down(boolean down) {
    this.down = down;
  }

  /** All faults are over. */
  void heal() {
    down = false;
    brokerReactions.clear();
  }

  /** One of what is on its way arrives. */
  void answer(int number) {
    if (!onItsWay.isEmpty()) {
      answer(onItsWay.remove(number % onItsWay.size()));
    }
  }

  private void answer(OnItsWay sent) {
    if (isDead(sent.envelope().id())) {
      return;
    }
    scheduleLedger.count(CoveredEvent.LATER_ANSWER);
    beingAnswered.add(sent);
    try {
      receive(sent.who(), sent.envelope());
      sent.answer().complete(true);
    } catch (Throwable thrown) {
      sent.answer().completeExceptionally(thrown);
    } finally {
      beingAnswered.remove(sent);
    }
  }

  /** One of what is on its way gets no answer. */
  void silence(int number, boolean arrives) {
    if (onItsWay.isEmpty()) {
      return;
    }
    OnItsWay sent = onItsWay.remove(number % onItsWay.size());
    if (arrives && !down && !isDead(sent.envelope().id())) {
      arrive(sent.envelope());
      excuse(sent.who(), sent.envelope(), CoveredEvent.LOST_CONFIRM, "the answer is lost");
    }
  }

  /** All that is on its way from {@code who}, or from all, arrives. */
  void answerAll(@Nullable String who) {
    for (OnItsWay sent : List.copyOf(onItsWay)) {
      if ((who == null || who.equals(sent.who())) && onItsWay.remove(sent)) {
        answer(sent);
      }
    }
  }

  /** A relay leaves without waiting for its answers, or while one of them stands still. */
  void abandon(String who) {
    Stream.concat(onItsWay.stream(), beingAnswered.stream())
        .filter(sent -> sent.who().equals(who))
        .forEach(
            sent ->
                excuse(who, sent.envelope(), CoveredEvent.UNANSWERED, "is left without an answer"));
  }

  /**
   * Says when a message counts as failed because no answer came: then it may arrive all the same.
   */
  private record Candid(String who, Publisher publisher, ScheduleLedger scheduleLedger)
      implements Publisher {
    @Override
    public void publish(Flight flight) throws Exception {
      publisher.publish(flight);
    }

    @Override
    public Ack unanswered(Envelope envelope, TimeoutException silence) {
      scheduleLedger.count(CoveredEvent.UNANSWERED);
      scheduleLedger.of(NoteKind.FAULT, who, Subject.of(envelope), "no answer came in time");
      scheduleLedger.of(
          NoteKind.ANSWERED, who, Subject.of(envelope), "by silence: it is waited for no longer");
      return publisher.unanswered(envelope, silence);
    }

    @Override
    public Ordering ordering() {
      return publisher.ordering();
    }

    @Override
    public boolean isTransactional() {
      return publisher.isTransactional();
    }

    @Override
    public boolean resolvesReferences() {
      return publisher.resolvesReferences();
    }
  }
}
