package dev.outbox.cli.command;

import dev.outbox.Snapshot;
import dev.outbox.StoreException;
import dev.outbox.cli.Exit;
import dev.outbox.cli.Refusal;
import dev.outbox.cli.Remedies;
import dev.outbox.cli.connect.Looks;
import dev.outbox.cli.connect.Session;
import dev.outbox.cli.text.AgeConverter;
import dev.outbox.cli.text.Printer;
import dev.outbox.cli.text.Screen;
import dev.outbox.console.look.Look;
import dev.outbox.console.look.Looker;
import dev.outbox.console.look.Rates;
import dev.outbox.console.look.Texts;
import dev.outbox.console.look.Trouble;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The status, live. */
@Command(
    name = "watch",
    description =
        "A live screen until Ctrl-C. Without a terminal, or with --json, a line for each look.")
public final class WatchCommand implements Callable<Integer> {
  private static final int HISTORY = 60;
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final Session session;

  @Mixin private Looks looks = new Looks();

  @Option(
      names = "--every",
      paramLabel = "AGE",
      converter = AgeConverter.class,
      description = "How often it looks. Default: 2s.")
  private Duration every = Duration.ofSeconds(2);

  @Option(names = "--times", paramLabel = "N", description = "Ends after N looks.")
  private long times = Long.MAX_VALUE;

  private final Deque<Double> in = new ArrayDeque<>();
  private final Deque<Double> out = new ArrayDeque<>();

  public WatchCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (every.compareTo(SHORTEST) < 0) {
      throw new Refusal(Exit.USAGE, "--every is %s, the least is 1s".formatted(Texts.age(every)));
    }
    if (times < 1) {
      throw new Refusal(Exit.USAGE, "--times is %d, the least is 1".formatted(times));
    }
    boolean isLive = session.terminal().isWatched() && !session.printer().isJson();
    try (Looker looker = looks.looker(session);
        Screen screen = isLive ? Screen.open(session.terminal()) : Screen.none()) {
      return watch(looker, screen, isLive);
    }
  }

  private int watch(Looker looker, Screen screen, boolean isLive) throws InterruptedException {
    Look before = null;
    long failures = 0;
    for (long left = times; left > 0; ) {
      Look look = look(looker, before != null);
      if (look == null) {
        failures++;
      } else {
        failures = 0;
        left--;
        show(look, Rates.between(before, look), screen, isLive);
        before = look;
      }
      if (failures == times) {
        return Exit.DATABASE;
      }
      if (left > 0) {
        TimeUnit.MILLISECONDS.sleep(every.toMillis());
      }
    }
    return Exit.DONE;
  }

  private void show(Look look, Rates rates, Screen screen, boolean isLive) {
    remember(in, rates.in());
    remember(out, rates.out());
    screen.begin();
    session.printer().answerInLine(Values.of(look, rates), any -> draw(any, look, rates, isLive));
    screen.end();
  }

  /** Null when a later look failed: a failing database is what an operator wants to watch. */
  private @Nullable Look look(Looker looker, boolean hasLooked) {
    try {
      return looker.look();
    } catch (StoreException e) {
      if (!hasLooked) {
        throw e;
      }
      PrintWriter err = session.terminal().err();
      err.println(
          "%s  this look failed, the next one is in %s: %s"
              .formatted(
                  now(),
                  Texts.age(every),
                  Printer.inLine(Remedies.atShell(String.valueOf(e.getMessage())))));
      err.flush();
      return null;
    }
  }

  private static String now() {
    return LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static void remember(Deque<Double> rates, @Nullable Double rate) {
    rates.addLast(rate == null ? Double.valueOf(0) : rate);
    if (rates.size() > HISTORY) {
      rates.removeFirst();
    }
  }

  private void draw(Printer printer, Look look, Rates rates, boolean isLive) {
    if (!isLive) {
      printer.line(line(look, rates));
      return;
    }
    Snapshot snapshot = look.snapshot();
    printer.line("%s  %s   (Ctrl-C ends)".formatted(printer.bold("outbox"), now())).line("");
    printer.troubles(Trouble.of(look)).line("");
    printer.line(
        "in   %-11s %s".formatted(Texts.rate(rates.in()), printer.colour("36", Screen.bars(in))));
    printer.line(
        "out  %-11s %s".formatted(Texts.rate(rates.out()), printer.colour("32", Screen.bars(out))));
    printer
        .line("")
        .line(
            "ready %s   oldest %s   parked %s   delayed %s   dead %s"
                .formatted(
                    printer.bold(Texts.count(snapshot.ready(), look.bound())),
                    snapshot.oldestReady() == null ? "-" : Texts.age(snapshot.oldestReady()),
                    Texts.count(snapshot.parked(), look.bound()),
                    Texts.count(snapshot.delayed(), look.bound()),
                    Texts.count(snapshot.dead(), look.bound())))
        .line("");
    printer.table(
        List.of("TOPIC", "READY", "PARKED", "DELAYED", "DEAD", "SETTING"),
        TopicsCommand.rows(look).stream().limit(15).toList());
    printer.line("");
    relays(printer, snapshot);
  }

  private static void relays(Printer printer, Snapshot snapshot) {
    Values.lanesByOwner(snapshot)
        .forEach(
            (owner, lanes) ->
                printer.line(
                    "%-30s lanes %s"
                        .formatted(
                            owner.isEmpty() ? "(no owner)" : Printer.safe(owner),
                            Texts.ranges(lanes))));
  }

  private static String line(Look look, Rates rates) {
    Snapshot snapshot = look.snapshot();
    return "in %s out %s ready %s oldest %s parked %s delayed %s dead %s relays %d"
        .formatted(
            Texts.rate(rates.in()),
            Texts.rate(rates.out()),
            Texts.count(snapshot.ready(), look.bound()),
            snapshot.oldestReady() == null ? "-" : Texts.age(snapshot.oldestReady()),
            Texts.count(snapshot.parked(), look.bound()),
            Texts.count(snapshot.delayed(), look.bound()),
            Texts.count(snapshot.dead(), look.bound()),
            snapshot.relays().size());
  }
}
