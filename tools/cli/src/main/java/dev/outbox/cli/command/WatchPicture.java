package dev.outbox.cli.command;

import dev.outbox.Snapshot;
import dev.outbox.cli.text.Columns;
import dev.outbox.cli.text.Printer;
import dev.outbox.cli.text.Screen;
import dev.outbox.cli.text.Terminal.Size;
import dev.outbox.console.look.HumanText;
import dev.outbox.console.look.Look;
import dev.outbox.console.look.Rates;
import dev.outbox.console.look.Trouble;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code watch} shows of a look, no larger than the terminal: what is most needed first, and
 * how much was left out.
 *
 * <p>Used by one thread.
 */
final class WatchPicture {
  private static final int HISTORY = 60;
  private static final int MOST_TOPICS = 15; // where nobody says how large the terminal is
  private static final int SMALL = 20;
  private static final List<String> HEADER =
      List.of("TOPIC", "READY", "PARKED", "DELAYED", "DEAD", "SETTING");

  private final Printer printer;
  private final Deque<Double> in = new ArrayDeque<>();
  private final Deque<Double> out = new ArrayDeque<>();
  private Rates rates = Rates.UNKNOWN;

  WatchPicture(Printer printer) {
    this.printer = printer;
  }

  void remember(Rates latest) {
    rates = latest;
    remember(in, latest.in());
    remember(out, latest.out());
  }

  private static void remember(Deque<Double> rates, @Nullable Double rate) {
    rates.addLast(rate == null ? Double.valueOf(0) : rate);
    if (rates.size() > HISTORY) {
      rates.removeFirst();
    }
  }

  /** {@code head} and the lines below it; the terminal's last line is left to the cursor. */
  List<String> lines(List<String> head, Look look, Size size) {
    int room = size.lines() - 1;
    List<String> gap = size.lines() < SMALL ? List.of() : List.of("");
    List<String> lines = new ArrayList<>(head);
    lines.addAll(gap);
    lines.addAll(troubles(Trouble.of(look), size, room / 3));
    lines.addAll(gap);
    lines.add(rate("in   ", rates.in(), in, "36", size));
    lines.add(rate("out  ", rates.out(), out, "32", size));
    lines.addAll(gap);
    lines.add(counts(look, size));
    lines.addAll(gap);
    List<String> relays = relays(look.snapshot(), size, Math.max(1, room / 5));
    List<String> topics = topics(look, size, room - lines.size() - gap.size() - relays.size());
    lines.addAll(topics);
    lines.addAll(topics.isEmpty() ? List.of() : gap);
    lines.addAll(relays);
    return lines.subList(0, Math.max(0, Math.min(lines.size(), room)));
  }

  private List<String> troubles(List<Trouble> troubles, Size size, int most) {
    if (troubles.isEmpty()) {
      return List.of(printer.colour("32", "\u2713 all is well"));
    }
    List<String> lines = new ArrayList<>();
    int told = 0;
    for (Trouble trouble : troubles) {
      List<String> next = printer.troubleWithin(size.columns(), trouble);
      boolean isLast = told == troubles.size() - 1;
      if (told > 0 && lines.size() + next.size() > (isLast ? most : most - 1)) {
        break;
      }
      lines.addAll(next);
      told++;
    }
    return told == troubles.size()
        ? lines
        : more(lines, troubles.size() - told, "trouble", "status", size);
  }

  private static List<String> more(
      List<String> lines, int left, String what, String command, Size size) {
    String text = "%d more %s%s: outbox %s".formatted(left, what, left == 1 ? "" : "s", command);
    lines.add(Columns.cut(text, size.columns()));
    return lines;
  }

  private String rate(
      String name, @Nullable Double rate, Deque<Double> history, String code, Size size) {
    String number = name + Columns.padded(HumanText.rate(rate), 12);
    String bars = Screen.bars(history);
    int room = Math.max(0, size.columns() - number.length());
    return Columns.cut(number, size.columns())
        + printer.colour(code, bars.substring(Math.max(0, bars.length() - room)));
  }

  private String counts(Look look, Size size) {
    Snapshot snapshot = look.snapshot();
    String text =
        "ready %s   oldest %s   parked %s   delayed %s   dead %s"
            .formatted(
                HumanText.count(snapshot.ready(), look.bound()),
                snapshot.oldestReady() == null ? "-" : HumanText.age(snapshot.oldestReady()),
                HumanText.count(snapshot.parked(), look.bound()),
                HumanText.count(snapshot.delayed(), look.bound()),
                HumanText.count(snapshot.dead(), look.bound()));
    return printer.bold(Columns.cut(text, size.columns()));
  }

  private List<String> topics(Look look, Size size, int room) {
    List<List<String>> rows = TopicsCommand.rows(look);
    int most = Math.max(0, size.equals(Size.UNKNOWN) ? MOST_TOPICS : room - 1);
    if (rows.isEmpty()) {
      return List.of();
    }
    boolean isWhole = rows.size() <= most;
    List<List<String>> shown = isWhole ? rows : rows.subList(0, Math.max(0, most - 1));
    List<String> lines = new ArrayList<>(printer.tableWithin(size.columns(), HEADER, shown));
    return isWhole ? lines : more(lines, rows.size() - shown.size(), "topic", "topics", size);
  }

  private static List<String> relays(Snapshot snapshot, Size size, int most) {
    List<String> lines = new ArrayList<>();
    Values.lanesByOwner(snapshot)
        .forEach(
            (owner, lanes) -> {
              String name = owner.isEmpty() ? "(no owner)" : Printer.safe(owner);
              String text = Columns.padded(name, 30) + " lanes " + HumanText.ranges(lanes);
              lines.add(Columns.cut(text, size.columns()));
            });
    int left = lines.size() - most + 1;
    return left <= 1 ? lines : more(lines.subList(0, most - 1), left, "owner", "lanes", size);
  }
}
