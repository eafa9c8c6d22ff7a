package dev.outbox.cli.command;

import dev.outbox.Topics;
import dev.outbox.Topics.Setting;
import dev.outbox.cli.Exit;
import dev.outbox.cli.Refusal;
import dev.outbox.cli.connect.Invocation;
import dev.outbox.cli.text.Printer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that set something for a topic. */
public final class TopicChanges {
  private TopicChanges() {}

  /** Which topic, and whether it is meant. */
  private static final class Change {
    @Parameters(paramLabel = "TOPIC", description = "The topic.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String topic;

    @Option(names = "--dry-run", description = "Says what would be set, and changes nothing.")
    private boolean dryRun;

    int apply(Invocation invocation, UnaryOperator<Setting> wanted, Consumer<Topics> change) {
      Topics topics = Topics.create(invocation.store());
      Setting before = topics.settings().getOrDefault(topic, Setting.NONE);
      Setting after = wanted.apply(before);
      topics.spellingDoubt(topic).map(Printer::inLine).ifPresent(invocation::warn);
      if (!dryRun) {
        change.accept(topics);
        after = topics.settings().getOrDefault(topic, Setting.NONE);
      }
      tell(invocation, before, after);
      return Exit.DONE;
    }

    private void tell(Invocation invocation, Setting before, Setting after) {
      String text =
          "%s: %s, before: %s%s"
              .formatted(
                  Printer.safe(topic),
                  Values.text(after),
                  Values.text(before),
                  dryRun ? " (dry run: nothing was changed)" : "");
      Map<String, Object> values = new LinkedHashMap<>();
      values.put("topic", topic);
      values.put("dryRun", dryRun);
      values.put("before", Values.text(before));
      values.put("after", Values.text(after));
      invocation.printer().answer(values, printer -> printer.line(text));
    }
  }

  /** Stops a topic. */
  @Command(
      name = "pause",
      description = "Publishes nothing of the topic until it is resumed; relays notice within 5 s.")
  public static final class Pause implements Callable<Integer> {
    private final Invocation invocation;
    @Mixin private Change change = new Change();

    public Pause(Invocation invocation) {
      this.invocation = invocation;
    }

    @Override
    public Integer call() {
      return change.apply(
          invocation, setting -> setting.withPaused(true), topics -> topics.pause(change.topic));
    }
  }

  /** Lets a topic go on. */
  @Command(
      name = "resume",
      description = "Publishes what waited while the topic was paused, each key in its order.")
  public static final class Resume implements Callable<Integer> {
    private final Invocation invocation;
    @Mixin private Change change = new Change();

    public Resume(Invocation invocation) {
      this.invocation = invocation;
    }

    @Override
    public Integer call() {
      return change.apply(
          invocation, setting -> setting.withPaused(false), topics -> topics.resume(change.topic));
    }
  }

  /** Slows a topic. */
  @Command(name = "limit", description = "Limits a topic, for each relay.")
  public static final class Limit implements Callable<Integer> {
    private final Invocation invocation;
    @Mixin private Change change = new Change();

    @Option(names = "--rate", paramLabel = "N", description = "At most N messages in a second.")
    private @Nullable Integer rate;

    @Option(names = "--in-flight", paramLabel = "N", description = "At most N in flight at a time.")
    private @Nullable Integer inFlight;

    @Option(names = "--none", description = "Neither limit any more.")
    private boolean none;

    public Limit(Invocation invocation) {
      this.invocation = invocation;
    }

    @Override
    public Integer call() {
      if (none == (rate != null || inFlight != null)) {
        throw new Refusal(Exit.USAGE, "name --rate, --in-flight or both; or --none to remove them");
      }
      String remedy = "to stop the topic, run: outbox pause " + change.topic;
      Refusal.ofLess("--rate", rate, remedy);
      Refusal.ofLess("--in-flight", inFlight, remedy);
      return change.apply(invocation, this::wanted, this::set);
    }

    private Setting wanted(Setting setting) {
      Setting unlimited = none ? setting.withPerSecond(null).withInFlight(null) : setting;
      Setting rated = rate == null ? unlimited : unlimited.withPerSecond(rate);
      return inFlight == null ? rated : rated.withInFlight(inFlight);
    }

    private void set(Topics topics) {
      if (none) {
        topics.unlimited(change.topic);
      }
      if (rate != null) {
        topics.limit(change.topic, rate);
      }
      if (inFlight != null) {
        topics.cap(change.topic, inFlight);
      }
    }
  }

  /** Makes a topic strict. */
  @Command(
      name = "strict",
      description =
          "Whether a dead letter of the topic holds its key until it is replayed or discarded.")
  public static final class Strict implements Callable<Integer> {
    private final Invocation invocation;
    @Mixin private Change change = new Change();

    @Parameters(index = "1", paramLabel = "on|off", description = "on or off.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Switch strict;

    /** A switch. */
    private enum Switch {
      ON,
      OFF
    }

    public Strict(Invocation invocation) {
      this.invocation = invocation;
    }

    @Override
    public Integer call() {
      boolean isOn = strict == Switch.ON;
      return change.apply(
          invocation,
          setting -> setting.withStrict(isOn),
          topics -> topics.strict(change.topic, isOn));
    }
  }
}
