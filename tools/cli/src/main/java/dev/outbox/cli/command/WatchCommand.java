package dev.outbox.cli.command;

import dev.outbox.Snapshot;
import dev.outbox.StoreException;
import dev.outbox.cli.Exit;
import dev.outbox.cli.Refusal;
import dev.outbox.cli.Remedies;
import dev.outbox.cli.connect.Invocation;
import dev.outbox.cli.connect.Looks;
import dev.outbox.cli.text.AgeConverter;
import dev.outbox.cli.text.Printer;
import dev.outbox.cli.text.Screen;
import dev.outbox.console.look.HumanText;
import dev.outbox.console.look.Look;
import dev.outbox.console.look.Looker;
import dev.outbox.console.look.Rates;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The status, live. */
@Command(
    name = "watch",
    description =
        "A live screen until Ctrl-C. Without a terminal, or with --json, a line for each look.")
public final class WatchCommand implements Callable<Integer> {
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final Invocation invocation;

  @Mixin private Looks looks = new Looks();

  @Option(
      names = "--every",
      paramLabel = "AGE",
      converter = AgeConverter.class,
      description = "How often it looks. Default: 2s.")
  private Duration every = Duration.ofSeconds(2);

  @Option(names = "--times", paramLabel = "N", description = "Ends after N looks.")
  private long times = Long.MAX_VALUE;

  public WatchCommand(Invocation invocation) {
    this.invocation = invocation;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (every.compareTo(SHORTEST) < 0) {
      throw new Refusal(
          Exit.USAGE, "--every is %s, the minimum is 1s".formatted(HumanText.age(every)));
    }
    if (times < 1) {
      throw new Refusal(Exit.USAGE, "--times is %d, the minimum is 1".formatted(times));
    }
    boolean isLive = invocation.terminal().isWatched() && !invocation.printer().isJson();
    invocation.asksAgain();
    try (Looker looker = looks.looker(invocation)) {
      return isLive ? live(looker) : watch(looker, this::tell, this::tellFailure);
    }
  }

  private int live(Looker looker) throws InterruptedException {
    String[] failure = {""};
    int exit;
    try (Screen screen = Screen.open(invocation.terminal())) {
      WatchScreen watched = new WatchScreen(invocation, screen);
      exit =
          watch(
              looker,
              watched::show,
              sentence -> {
                failure[0] = sentence;
                watched.showOld(sentence);
              });
    }
    if (exit != Exit.DONE) {
      throw new Refusal(exit, failure[0]); // what stays when the screen is gone
    }
    return exit;
  }

  private int watch(Looker looker, BiConsumer<Look, Rates> seen, Consumer<String> failed)
      throws InterruptedException {
    Look before = null;
    long failures = 0;
    for (long left = times; left > 0; ) {
      try {
        Look look = looker.look();
        seen.accept(look, Rates.between(before, look));
        before = look;
        failures = 0;
        left--;
      } catch (StoreException e) { // a failing database is what an operator wants to watch
        if (before == null) {
          throw e;
        }
        failures++;
        failed.accept(sentence(e));
      }
      if (failures == times) {
        return Exit.DATABASE;
      }
      if (invocation.terminal().out().checkError()) {
        return Exit.FOUND; // its reader has gone, which needs no sentence
      }
      if (left > 0) {
        TimeUnit.MILLISECONDS.sleep(every.toMillis());
      }
    }
    return Exit.DONE;
  }

  private void tell(Look look, Rates rates) {
    invocation
        .printer()
        .answerInLine(Values.of(look, rates), printer -> printer.line(line(look, rates)));
  }

  private String sentence(StoreException failure) {
    String reason = Printer.inLine(Remedies.atShell(String.valueOf(failure.getMessage())));
    return "this look failed, the next one is in %s: %s".formatted(HumanText.age(every), reason);
  }

  private void tellFailure(String sentence) {
    PrintWriter err = invocation.terminal().err();
    err.println("%s  %s".formatted(WatchScreen.now(), sentence));
    err.flush();
  }

  private static String line(Look look, Rates rates) {
    Snapshot snapshot = look.snapshot();
    return "in %s out %s ready %s oldest %s parked %s delayed %s dead %s relays %d"
        .formatted(
            HumanText.rate(rates.in()),
            HumanText.rate(rates.out()),
            HumanText.count(snapshot.ready(), look.bound()),
            snapshot.oldestReady() == null ? "-" : HumanText.age(snapshot.oldestReady()),
            HumanText.count(snapshot.parked(), look.bound()),
            HumanText.count(snapshot.delayed(), look.bound()),
            HumanText.count(snapshot.dead(), look.bound()),
            snapshot.relays().size());
  }
}
