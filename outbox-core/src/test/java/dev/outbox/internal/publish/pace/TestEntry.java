package dev.outbox.internal.publish.pace;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One that is never too late. */
record TestEntry(Consumer<Window.Place> whenItBegins, BooleanSupplier over)
    implements Window.Entry {
  TestEntry(Runnable whenItBegins) {
    this(place -> whenItBegins.run(), () -> false);
  }

  @Override
  public void begin(Window.Place place) {
    whenItBegins.accept(place);
  }

  @Override
  public boolean isTooLate() {
    return false;
  }

  @Override
  public void turnAway() {
    throw new AssertionError("it was not too late");
  }

  @Override
  public boolean isOver() {
    return over.getAsBoolean();
  }
}
