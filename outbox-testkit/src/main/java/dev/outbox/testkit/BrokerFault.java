package dev.outbox.testkit;

import dev.outbox.testkit.internal.broker.BrokerRejection;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;

/**
 * Something that goes wrong at an in-memory broker with one envelope, or from one envelope on.
 *
 * <p>Immutable. Scripted by {@link InMemoryBroker#next}, {@link InMemoryBroker#when} and {@link
 * InMemoryBroker#randomly}.
 *
 * <pre>{@code
 * broker.next(BrokerFault.refuse(), BrokerFault.none(), BrokerFault.reject("no such account"));
 * broker.next(BrokerFault.timeOut(), BrokerFault.loseConfirm(), BrokerFault.twice());
 * broker.next(BrokerFault.slow(Duration.ofSeconds(2)).and(BrokerFault.reorder()));
 * broker.when(each -> each.topic().equals("mails"), BrokerFault.goDown(Duration.ofMinutes(1)));
 * broker.next(BrokerFault.disconnectAfter(3));
 * }</pre>
 */
public final class BrokerFault {
  private final String name;
  private final Effect effect;

  private BrokerFault(String name, Effect effect) {
    this.name = name;
    this.effect = effect;
  }

  /** What happens to a sending before the broker accepts it; throws to refuse it. */
  interface Effect {
    void on(Sending sending) throws Exception;
  }

  void strike(Sending sending) throws Exception {
    effect.on(sending);
  }

  /** Nothing: the envelope gets through. A place holder in a script. */
  public static BrokerFault none() {
    return new BrokerFault("none", sending -> {});
  }

  /** It does not arrive, for its own reason: a relay takes it as failed. */
  public static BrokerFault refuse() {
    return refuse(new IllegalStateException("the in-memory broker refused it"));
  }

  /** It does not arrive, for this reason: a relay reads it as it reads any exception. */
  public static BrokerFault refuse(Exception cause) {
    Objects.requireNonNull(cause, "cause");
    return new BrokerFault(
        "refuse(" + cause + ")",
        sending -> {
          throw cause;
        });
  }

  /** It does not arrive and never will: a relay makes it a dead letter. */
  public static BrokerFault reject(String reason) {
    Objects.requireNonNull(reason, "reason");
    return new BrokerFault(
        "reject(" + reason + ")",
        sending -> {
          throw new BrokerRejection(reason);
        });
  }

  /** It does not arrive, and the sender learns nothing but that its patience is over. */
  public static BrokerFault timeOut() {
    return new BrokerFault(
        "timeOut",
        sending -> {
          throw new TimeoutException("the in-memory broker did not answer");
        });
  }

  /** It arrives, and the confirmation is lost: for the sender it is as {@link #timeOut}. */
  public static BrokerFault loseConfirm() {
    return new BrokerFault("loseConfirm", Sending::loseConfirm);
  }

  /** It arrives twice and is confirmed once, as after a retry inside the broker's client. */
  public static BrokerFault twice() {
    return new BrokerFault("twice", Sending::arriveTwice);
  }

  /**
   * It is confirmed and lands behind the next envelope of another key or topic, never behind one of
   * its own, and never later than the next look at the broker.
   */
  public static BrokerFault reorder() {
    return new BrokerFault("reorder", Sending::holdBack);
  }

  /**
   * It takes this long. A {@link SettableClock} is moved by it; with any other clock the sender
   * waits.
   *
   * @throws IllegalArgumentException when the time is negative
   */
  public static BrokerFault slow(Duration time) {
    requireAtLeastZero("slow", time.isNegative(), time);
    return new BrokerFault("slow(" + time + ")", sending -> sending.take(time));
  }

  /**
   * The connection breaks in mid-batch: that many of its flight arrive, itself included, and the
   * rest finds the connection gone. The next flight connects again.
   *
   * @throws IllegalArgumentException when the number is negative
   */
  public static BrokerFault disconnectAfter(int more) {
    requireAtLeastZero("disconnectAfter", more < 0, more);
    return new BrokerFault("disconnectAfter(" + more + ")", sending -> sending.cutAfter(more));
  }

  /**
   * The broker goes down with this envelope, and comes back after that time by its own clock.
   *
   * @throws IllegalArgumentException when the time is negative
   */
  public static BrokerFault goDown(Duration time) {
    requireAtLeastZero("goDown", time.isNegative(), time);
    return new BrokerFault(
        "goDown(" + time + ")",
        sending -> {
          sending.goDown(time);
          throw new ConnectException("the in-memory broker went down");
        });
  }

  /** Both, this one first: {@code slow(patience).and(timeOut())}. */
  public BrokerFault and(BrokerFault other) {
    return new BrokerFault(
        name + " and " + other.name,
        sending -> {
          effect.on(sending);
          other.effect.on(sending);
        });
  }

  private static void requireAtLeastZero(String what, boolean negative, Object value) {
    if (negative) {
      throw new IllegalArgumentException(what + " is " + value + ", the minimum is zero");
    }
  }

  /** What it does, as it was written. */
  @Override
  public String toString() {
    return name;
  }
}
