package dev.outbox.cli;

import dev.outbox.cli.command.ConsoleCommand;
import dev.outbox.cli.command.DeadCommand;
import dev.outbox.cli.command.DoctorCommand;
import dev.outbox.cli.command.FindCommand;
import dev.outbox.cli.command.HeldCommand;
import dev.outbox.cli.command.HelpCommand;
import dev.outbox.cli.command.LanesCommand;
import dev.outbox.cli.command.SchemaCommand;
import dev.outbox.cli.command.StatusCommand;
import dev.outbox.cli.command.TopicChanges;
import dev.outbox.cli.command.TopicsCommand;
import dev.outbox.cli.command.WatchCommand;
import dev.outbox.cli.connect.CommonOptions;
import dev.outbox.cli.connect.Invocation;
import dev.outbox.cli.text.Terminal;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code outbox}. */
@Command(
    name = "outbox",
    version = "outbox 0.1.0-SNAPSHOT",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    sortOptions = false,
    description = "Looks at the tables of an outbox, and operates them.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done, or nothing is wrong",
      "1:something is wrong: what was looked for is not there, the doctor found a failure, or the"
          + " answer could not be written",
      "2:the call is wrong; nothing was done",
      "3:the database does not answer or refuses",
      "4:not confirmed; nothing was changed",
      "5:a defect of this program",
      "130:stopped by Ctrl-C; what was done is said"
    })
public final class Main implements Callable<Integer> {
  @Mixin
  @SuppressWarnings("UnusedVariable") // picocli sets what is in it
  private final CommonOptions access;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private CommandSpec spec;

  private Main(Invocation invocation) {
    this.access = invocation.access();
  }

  /** Runs one command and ends this process with its exit code. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT); // numbers as scripts read them
    System.exit(run(Terminal.ofThisProcess(), arguments));
  }

  /** Runs one command; returns its exit code. */
  public static int run(Terminal terminal, String... arguments) {
    if (Arrays.stream(arguments).anyMatch(argument -> argument.contains("\uFFFD"))) {
      return unreadable(terminal);
    }
    try (Invocation invocation = new Invocation(terminal)) {
      return written(terminal, commandLine(invocation).execute(arguments));
    }
  }

  /** Where the locale is C, as in many containers, a topic would be taken for another one. */
  private static int unreadable(Terminal terminal) {
    terminal
        .err()
        .println(
            "outbox: an argument has characters that are unknown in this locale; repeat the command"
                + " with LC_ALL=C.UTF-8 before it");
    terminal.err().flush();
    return Exit.USAGE;
  }

  /** What a full disk or a closed pipe has cut off must not pass for an answer. */
  private static int written(Terminal terminal, int exit) {
    if (exit != Exit.DONE || !terminal.out().checkError()) {
      return exit;
    }
    terminal
        .err()
        .println("outbox: the answer could not be written: the disk is full, or its reader ended");
    terminal.err().flush();
    return Exit.FOUND;
  }

  private static CommandLine commandLine(Invocation invocation) {
    CommandLine commands = new CommandLine(new Main(invocation));
    commands
        .addSubcommand(new DoctorCommand(invocation))
        .addSubcommand(new StatusCommand(invocation))
        .addSubcommand(new WatchCommand(invocation))
        .addSubcommand(new LanesCommand(invocation))
        .addSubcommand(new TopicsCommand(invocation))
        .addSubcommand(new TopicChanges.Pause(invocation))
        .addSubcommand(new TopicChanges.Resume(invocation))
        .addSubcommand(new TopicChanges.Limit(invocation))
        .addSubcommand(new TopicChanges.Strict(invocation))
        .addSubcommand(new HeldCommand(invocation))
        .addSubcommand(new FindCommand(invocation))
        .addSubcommand(DeadCommand.of(invocation))
        .addSubcommand(SchemaCommand.of(invocation))
        .addSubcommand(new ConsoleCommand(invocation))
        .addSubcommand(new HelpCommand())
        .addSubcommand("completion", completion());
    return commands
        .setOut(invocation.terminal().out())
        .setErr(invocation.terminal().err())
        .setColorScheme(CommandLine.Help.defaultColorScheme(invocation.terminal().ansi()))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExpandAtFiles(false) // a key may begin with it
        .setParameterExceptionHandler(Refusals::ofParameters)
        .setExecutionExceptionHandler((thrown, line, parsed) -> Refusals.of(thrown, line));
  }

  private static CommandLine completion() {
    CommandLine completion = new CommandLine(new AutoComplete.GenerateCompletion());
    completion.setCommandName("completion");
    completion
        .getCommandSpec()
        .usageMessage()
        .description("Prints a script for bash and zsh: source <(outbox completion)");
    return completion;
  }

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "name a command");
  }
}
