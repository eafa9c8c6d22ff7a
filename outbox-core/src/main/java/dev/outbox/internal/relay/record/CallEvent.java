package dev.outbox.internal.relay.record;

import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A call of the database: how long it took, and how many messages or lanes it was about. */
@Category("Outbox")
@StackTrace(false)
abstract class CallEvent extends Event {
  @Label("Messages")
  int messages;

  @Label("Lanes")
  int lanes;

  @Label("Failed")
  @Description("The database refused, or did not answer")
  boolean failed;

  /** Makes the call and writes the event; {@code messages} counts what it answered. */
  final <T> T around(Supplier<T> call, ToIntFunction<T> messages) {
    begin();
    failed = true;
    try {
      T answer = call.get();
      failed = false;
      if (isEnabled()) {
        this.messages = messages.applyAsInt(answer);
      }
      return answer;
    } finally {
      commit();
    }
  }

  @Name("dev.outbox.Claim")
  @Label("Claim")
  @Description("A relay takes lanes, or claims messages by rows")
  static final class Claim extends CallEvent {}

  @Name("dev.outbox.Read")
  @Label("Read")
  @Description("A relay reads messages of its lanes")
  static final class Read extends CallEvent {}

  @Name("dev.outbox.Settle")
  @Label("Settle")
  @Description("A relay writes what became of messages")
  static final class Settle extends CallEvent {}
}
