package dev.outbox.cli.command;

import dev.outbox.cli.Exit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The help of a command, or of one below it: {@code outbox help dead replay}. */
@Command(name = "help", helpCommand = true, description = "Shows the help of a command.")
public final class HelpCommand implements Callable<Integer> {
  @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "The command: dead replay.")
  private List<String> names = new ArrayList<>();

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine meant = spec.commandLine().getParent();
    for (String name : names) {
      CommandLine below = meant.getSubcommands().get(name);
      if (below == null) {
        throw new UnmatchedArgumentException(meant, List.of(name));
      }
      meant = below;
    }
    meant.usage(meant.getOut());
    return Exit.DONE;
  }
}
