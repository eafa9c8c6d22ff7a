package dev.outbox.cli.command;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.DeadLetters.ReplayPlan;
import dev.outbox.DeadLetters.Replayed;
import dev.outbox.cli.Exit;
import dev.outbox.cli.Refusal;
import dev.outbox.cli.connect.Invocation;
import dev.outbox.cli.text.LiveLine;
import dev.outbox.cli.text.Printer;
import dev.outbox.cli.text.Progress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that move or delete dead letters. */
final class DeadChanges {
  private DeadChanges() {}

  /** Which ones, and whether it is meant. */
  private static final class Choice {
    @Parameters(
        paramLabel = "NUMBER",
        arity = "0..*",
        description = "These, by their numbers; or else those that match the options.")
    private List<Long> numbers = new ArrayList<>();

    @Mixin private DeadFilter filter = new DeadFilter();

    @Option(names = "--all", description = "All of them; needed when nothing else is named.")
    private boolean all;

    @Option(names = "--dry-run", description = "Counts them, and changes nothing.")
    private boolean dryRun;

    @Option(names = "--yes", description = "Does not ask.")
    private boolean yes;

    private boolean isByNumber() {
      return !numbers.isEmpty();
    }

    private void check() {
      boolean isNamed = isByNumber();
      if (isNamed && (all || !filter.isOfAll())) {
        throw new Refusal(Exit.USAGE, "name dead letters by number, or by options, not by both");
      }
      if (!isNamed && !all && filter.isOfAll()) {
        throw new Refusal(
            Exit.USAGE, "which dead letters? Name them by number or by options, or use --all");
      }
      if (numbers.size() > DeadLetters.MAX_PAGE) {
        throw new Refusal(
            Exit.USAGE, "at most %d can be named by number".formatted(DeadLetters.MAX_PAGE));
      }
    }

    private void confirm(Invocation invocation, Action action, long messages) {
      if (!yes) {
        new Printer(invocation.terminal(), false).confirm(action.verb(), messages);
      }
    }
  }

  /** What a command does with them, under the word for it. */
  private interface Action {
    String verb();

    String done();

    int some(DeadLetters dead, List<DeadLetter.Id> letters);

    long all(DeadLetters dead, Filter filter, LongPredicate goOn);
  }

  private static int run(Invocation invocation, Choice choice, Action action) {
    choice.check();
    DeadLetters dead = DeadLetters.create(invocation.store());
    return choice.isByNumber()
        ? byNumber(invocation, choice, action, dead)
        : byFilter(invocation, choice, action, dead);
  }

  private static int byNumber(
      Invocation invocation, Choice choice, Action action, DeadLetters dead) {
    List<DeadLetter.Id> letters =
        choice.numbers.stream().distinct().map(number -> DeadLooks.id(dead, number)).toList();
    if (choice.dryRun) {
      tell(invocation, choice, action, new Told(letters.size(), null));
      return Exit.DONE;
    }
    choice.confirm(invocation, action, letters.size());
    int done = action.some(dead, letters);
    tell(invocation, choice, action, new Told(done, null));
    return done == letters.size() ? Exit.DONE : Exit.FOUND; // some were gone by then
  }

  private static int byFilter(
      Invocation invocation, Choice choice, Action action, DeadLetters dead) {
    Replayed fits = counted(invocation, choice, dead);
    if (choice.dryRun || fits.messages() == 0) {
      tell(invocation, choice, action, new Told(fits.messages(), fits.last()));
      return Exit.DONE;
    }
    choice.confirm(invocation, action, fits.messages());
    return change(invocation, choice, action, fits);
  }

  private static Replayed counted(Invocation invocation, Choice choice, DeadLetters dead) {
    try (LiveLine line = new LiveLine(invocation.terminal())) {
      return dead.replay(
          choice.filter.filter(),
          ReplayPlan.dryRun(),
          soFar -> {
            line.draw(() -> "counting: " + Printer.deadLetters(soFar.messages()));
            return true;
          });
    }
  }

  private static int change(Invocation invocation, Choice choice, Action action, Replayed fits) {
    Filter filter = choice.filter.filter().upTo(fits.last());
    DeadLetters dead = DeadLetters.create(invocation.store());
    boolean[] stopped = {false};
    try (Progress progress =
        new Progress(
            invocation.terminal(),
            fits.messages(),
            done ->
                "stopped: %,d of %s were %s; the same command goes on with the rest"
                    .formatted(done, Printer.deadLetters(fits.messages()), action.done()))) {
      long done =
          action.all(
              dead,
              filter,
              soFar -> {
                stopped[0] = !progress.goOn(soFar);
                return !stopped[0];
              });
      int exit = progress.end(done, !stopped[0]);
      if (exit == Exit.DONE) {
        tell(invocation, choice, action, new Told(done, fits.last()));
      }
      return exit;
    }
  }

  /** How many, and up to which number. */
  private record Told(long messages, @Nullable Long last) {}

  private static void tell(Invocation invocation, Choice choice, Action action, Told told) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("dryRun", choice.dryRun);
    values.put("messages", told.messages());
    values.put("upTo", told.last());
    String letters = Printer.deadLetters(told.messages());
    String text =
        choice.dryRun
            ? "dry run: %s would be %s".formatted(letters, action.done())
            : "%s %s %s".formatted(letters, told.messages() == 1 ? "was" : "were", action.done());
    invocation.printer().answer(values, printer -> printer.line(text));
  }

  /** Publishes them again. */
  @Command(name = "replay", description = "Puts dead letters back, to be published again.")
  static final class Replay implements Callable<Integer>, Action {
    private final Invocation invocation;
    @Mixin private Choice choice = new Choice();

    @Option(
        names = "--pace",
        paramLabel = "N",
        description = "At most N in a second. Default: as fast as the database goes.")
    private @Nullable Integer pace;

    Replay(Invocation invocation) {
      this.invocation = invocation;
    }

    @Override
    public Integer call() {
      Refusal.ofLess("--pace", pace, "without it, replays go as fast as the database does");
      if (pace != null && choice.isByNumber()) {
        throw new Refusal(Exit.USAGE, "--pace goes with options; those that are named go at once");
      }
      return run(invocation, choice, this);
    }

    private ReplayPlan plan() {
      return pace == null ? ReplayPlan.atOnce() : ReplayPlan.paced(pace);
    }

    @Override
    public String verb() {
      return "replay";
    }

    @Override
    public String done() {
      return "replayed";
    }

    @Override
    public int some(DeadLetters dead, List<DeadLetter.Id> letters) {
      return dead.replay(letters);
    }

    @Override
    public long all(DeadLetters dead, Filter filter, LongPredicate goOn) {
      return dead.replay(filter, plan(), soFar -> goOn.test(soFar.messages())).messages();
    }
  }

  /** Deletes them. */
  @Command(name = "discard", description = "Deletes dead letters for good.")
  static final class Discard implements Callable<Integer>, Action {
    private final Invocation invocation;
    @Mixin private Choice choice = new Choice();

    Discard(Invocation invocation) {
      this.invocation = invocation;
    }

    @Override
    public Integer call() {
      return run(invocation, choice, this);
    }

    @Override
    public String verb() {
      return "delete for good";
    }

    @Override
    public String done() {
      return "discarded";
    }

    @Override
    public int some(DeadLetters dead, List<DeadLetter.Id> letters) {
      return dead.discard(letters);
    }

    @Override
    public long all(DeadLetters dead, Filter filter, LongPredicate goOn) {
      return dead.discard(filter, goOn);
    }
  }
}
