package dev.outbox.testkit.schedule;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Ordering;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.history.Subject;
import dev.outbox.testkit.history.What;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The broker of a scene: takes what it gets unless it is away, has a whim, or the message is of
 * such a nature; and what is on its way to it.
 *
 * <p>Used by one thread.
 */
/*
 * One thing is not played: that what a relay had in the air before it stood still arrives after its message was buried by
 * another. Nothing can prevent that, and the message would come behind later ones of its key.
 */
final class Broker {
  private static final String NAME = "broker";

  private final Scene scene;
  private final Ledger ledger;
  private final Deque<Whim> whims = new ArrayDeque<>();
  private final Map<MessageId, Nature> natures = new HashMap<>();
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

  Broker(Scene scene) {
    this.scene = scene;
    this.ledger = scene.ledger();
  }

  /** What a message is, before it comes. */
  void expect(MessageId id, Decision.Write write) {
    natures.put(id, write.nature());
    numbers.put(id, write.number());
  }

  /** How stories call the messages. */
  Map<MessageId, Integer> numbers() {
    return numbers;
  }

  /** A publisher to this broker for the relay {@code who}. */
  Publisher publisher(String who, boolean answersLater) {
    Publisher publisher =
        answersLater
            ? Publisher.async(envelope -> send(who, envelope))
            : scene.world().publisher(envelope -> receive(who, envelope));
    return new Candid(who, publisher.classify(Broker::read), ledger);
  }

  private static Ack read(Throwable cause) {
    return cause instanceof Rejection ? Ack.rejected("no such thing") : Ack.of(cause);
  }

  private CompletableFuture<Boolean> send(String who, Envelope envelope) {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    onItsWay.add(new OnItsWay(who, envelope, answer));
    return answer;
  }

  private void receive(String who, Envelope envelope) throws Exception {
    boolean stoodStill = scene.crew().hasStoodStill(who);
    if (stoodStill && isDead(envelope.id()) && !who.equals(ledger.buriedBy(envelope.id()))) {
      throw new ConnectException("what was buried meanwhile does not arrive");
    }
    if (down) {
      ledger.count(Happening.REFUSED);
      throw new ConnectException("the broker is away");
    }
    refuseByNature(who, envelope);
    Whim whim = whims.poll();
    if (whim == null) {
      arrive(envelope);
    } else {
      receive(who, envelope, whim);
    }
  }

  /** Asks the store only about what somebody has buried. */
  private boolean isDead(MessageId id) {
    return ledger.buriedBy(id) != null && scene.deadMessages().contains(id);
  }

  private void refuseByNature(String who, Envelope envelope) throws Exception {
    switch (natures.getOrDefault(envelope.id(), Nature.PLAIN)) {
      case DOOMED -> throw new Rejection();
      case SICK -> throw new IllegalStateException("not this one");
      case DEADLY -> scene.crew().die(who, "dies of what it sends");
      default -> {}
    }
  }

  private void receive(String who, Envelope envelope, Whim whim) throws Exception {
    switch (whim) {
      case REFUSE -> {
        ledger.count(Happening.REFUSED);
        throw new IllegalStateException("the broker refuses it this time");
      }
      case AWAY -> {
        ledger.count(Happening.REFUSED);
        throw new ConnectException("the broker is away for a moment");
      }
      case LOSE_CONFIRM -> {
        arrive(envelope);
        excuse(who, envelope, Happening.LOST_CONFIRM, "the confirm is lost");
        throw new TimeoutException("no confirm");
      }
      case FAIL_CONFIRM -> {
        arrive(envelope);
        excuse(
            who, envelope, Happening.LOST_CONFIRM, "the broker has it and answers with an error");
        throw new IllegalStateException("an error after the fact");
      }
      case TWICE -> {
        arrive(envelope);
        excuse(who, envelope, Happening.TWICE, "the broker takes it twice");
        arrive(envelope);
      }
    }
  }

  private void excuse(String who, Envelope envelope, Happening happening, String why) {
    ledger.count(happening);
    ledger.of(What.FAULT, who, Subject.of(envelope), why);
  }

  private void arrive(Envelope envelope) {
    ledger.of(What.ARRIVED, NAME, Subject.of(envelope), "");
  }

  void next(Whim whim) {
    whims.add(whim);
  }

  void down(boolean away) {
    down = away;
  }

  /** All faults are over. */
  void heal() {
    down = false;
    whims.clear();
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
    ledger.count(Happening.LATER_ANSWER);
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
      excuse(sent.who(), sent.envelope(), Happening.LOST_CONFIRM, "the answer is lost");
    }
  }

  /** All that is on its way from {@code who}, or from anybody, arrives. */
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
                excuse(who, sent.envelope(), Happening.UNANSWERED, "is left without an answer"));
  }

  /**
   * Says when a message counts as failed because no answer came: then it may arrive all the same.
   */
  private record Candid(String who, Publisher publisher, Ledger ledger) implements Publisher {
    @Override
    public void publish(Flight flight) throws Exception {
      publisher.publish(flight);
    }

    @Override
    public Ack unanswered(Envelope envelope, TimeoutException silence) {
      ledger.count(Happening.UNANSWERED);
      ledger.of(What.FAULT, who, Subject.of(envelope), "no answer came in time");
      ledger.of(What.ANSWERED, who, Subject.of(envelope), "by silence: it is waited for no longer");
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
