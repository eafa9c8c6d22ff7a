package dev.outbox.cli.command;

import dev.outbox.cli.connect.Invocation;
import dev.outbox.cli.text.Columns;
import dev.outbox.cli.text.Printer;
import dev.outbox.cli.text.Screen;
import dev.outbox.cli.text.Terminal.Size;
import dev.outbox.console.look.HumanText;
import dev.outbox.console.look.Look;
import dev.outbox.console.look.Rates;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The live screen: the last look that went well, and whether it is old.
 *
 * <p>Used by one thread.
 */
final class WatchScreen {
  private static final int MOST_OF_A_FAILURE = 4;

  private final Invocation invocation;
  private final Screen screen;
  private final Printer printer;
  private final WatchPicture picture;
  private @Nullable Look last;
  private String lastAt = "";

  WatchScreen(Invocation invocation, Screen screen) {
    this.invocation = invocation;
    this.screen = screen;
    this.printer = invocation.printer();
    this.picture = new WatchPicture(printer);
  }

  static String now() {
    return LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  void show(Look look, Rates rates) {
    last = look;
    lastAt = now();
    picture.remember(rates);
    draw(List.of(), look, invocation.terminal().size());
  }

  /** Shows the last look again, below the reason that there is no newer one. */
  void showOld(String failure) {
    Look old = Objects.requireNonNull(last, "a first look that fails ends it");
    Size size = invocation.terminal().size();
    Duration age = Duration.ofNanos(System.nanoTime() - old.nanos());
    List<String> notice = new ArrayList<>();
    Columns.wrapped(failure, size.columns()).stream()
        .limit(MOST_OF_A_FAILURE)
        .forEach(line -> notice.add(printer.colour("1;31", line)));
    String text =
        "The numbers are old: they are of %s, %s ago".formatted(lastAt, HumanText.age(age));
    notice.add(printer.colour("1;31", Columns.cut(text, size.columns())));
    draw(notice, old, size);
  }

  private void draw(List<String> notice, Look look, Size size) {
    List<String> head = new ArrayList<>();
    head.add(
        printer.bold("outbox")
            + Columns.cut("  %s   (Ctrl-C ends)".formatted(now()), size.columns() - 6));
    head.addAll(notice);
    screen.show(picture.lines(head, look, size));
  }
}
