package dev.outbox.cli.command;

import dev.outbox.cli.connect.Invocation;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The dead letters. */
@Command(name = "dead", description = "Lists, shows, replays and discards dead letters.")
public final class DeadCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private CommandSpec spec;

  private DeadCommand() {}

  /** The command with those below it. */
  public static CommandLine of(Invocation invocation) {
    return new CommandLine(new DeadCommand())
        .addSubcommand(new DeadLooks.ListThem(invocation))
        .addSubcommand(new DeadLooks.Show(invocation))
        .addSubcommand(new DeadChanges.Replay(invocation))
        .addSubcommand(new DeadChanges.Discard(invocation))
        .addSubcommand(new HelpCommand());
  }

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "name list, show, replay or discard");
  }
}
