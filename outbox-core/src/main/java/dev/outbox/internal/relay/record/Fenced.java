package dev.outbox.internal.relay.record;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A lane was lost to another relay. */
@Name("dev.outbox.Fenced")
@Label("Fenced")
@Description("A lane was lost to another relay")
@Category("Outbox")
@StackTrace(false)
final class Fenced extends Event {
  @Label("Lane")
  int lane;
}
