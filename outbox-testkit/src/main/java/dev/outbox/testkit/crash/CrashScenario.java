package dev.outbox.testkit.crash;

import dev.outbox.message.Message;
import dev.outbox.publish.Ack;
import java.time.Duration;

/** What is done in a run, in the same order each time. */
@FunctionalInterface
public interface CrashScenario {
  /** Writes, lets relays work, lets time pass. */
  void on(CrashRun crashRun) throws Exception;

  /**
   * A scenario that comes by every durable boundary: transactions that commit and that roll back,
   * several messages of a key, a delayed one, one that fails and is tried again with its followers
   * behind it, one that is rejected for good. Without keys where {@code keyed} is false.
   */
  static CrashScenario standard(boolean keyed) {
    return crashRun -> {
      crashRun.refuseOnce("fails once", Ack::failed);
      crashRun.refuse("is rejected", cause -> Ack.rejected(String.valueOf(cause.getMessage())));
      crashRun.write(text(keyed, "a", "1"), text(keyed, "b", "2"), text(keyed, "a", "3"));
      crashRun.writeAndRollBack(text(keyed, "a", "never"));
      crashRun.drain();
      crashRun.write(text(keyed, "a", "fails once"), text(keyed, "a", "follows"));
      crashRun.write(text(keyed, "c", "is rejected"), text(false, "", "without a key"));
      crashRun.write(
          Message.to("orders").deliverAfter(Duration.ofSeconds(30)).text("for later"),
          text(keyed, "b", "4"));
      crashRun.drain();
      crashRun.pass(Duration.ofSeconds(40));
      crashRun.write(text(keyed, "a", "comes last"));
      crashRun.drain();
    };
  }

  private static Message text(boolean keyed, String key, String text) {
    return keyed && !key.isEmpty()
        ? Message.to("orders").key(key).text(text)
        : Message.to("orders").text(text);
  }
}
