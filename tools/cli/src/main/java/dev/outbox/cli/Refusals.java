package dev.outbox.cli;

import dev.outbox.OutboxException;
import dev.outbox.cli.text.Printer;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Makes a sentence and an exit code of what went wrong. */
final class Refusals {
  private Refusals() {}

  /** The call is wrong: what is wrong, what was meant perhaps, and where help is. */
  static int ofParameters(ParameterException thrown, String[] arguments) {
    CommandLine line = thrown.getCommandLine();
    PrintWriter err = line.getErr();
    err.println("outbox: " + Printer.safe(String.valueOf(thrown.getMessage())));
    if (!UnmatchedArgumentException.printSuggestions(thrown, err)) {
      err.println(
          line.getHelp().fullSynopsis().strip()
              + "\nTry '"
              + line.getCommandSpec().qualifiedName()
              + " --help'.");
    }
    err.flush();
    return Exit.USAGE;
  }

  static int of(Exception thrown, CommandLine line) {
    PrintWriter err = line.getErr();
    if (thrown instanceof InterruptedException) {
      Thread.currentThread().interrupt();
      return Exit.STOPPED;
    }
    int exit = exit(thrown);
    if (exit == Exit.DEFECT) {
      err.println("outbox: this is a defect of the program, please report it:");
      thrown.printStackTrace(err);
    } else {
      err.println("outbox: " + Printer.safe(Remedies.atShell(sentence(thrown))));
    }
    err.flush();
    return exit;
  }

  private static int exit(Exception thrown) {
    if (thrown instanceof Refusal refusal) {
      return refusal.exit();
    }
    if (thrown instanceof OutboxException || isOfSql(thrown)) {
      return Exit.DATABASE;
    }
    boolean isOfTheCall =
        thrown instanceof IllegalArgumentException || thrown instanceof IllegalStateException;
    return isOfTheCall ? Exit.USAGE : Exit.DEFECT;
  }

  private static boolean isOfSql(Throwable thrown) {
    return causes(thrown).stream().anyMatch(SQLException.class::isInstance);
  }

  /** The message, and those of its causes that say more. */
  private static String sentence(Exception thrown) {
    StringBuilder sentence = new StringBuilder();
    for (Throwable cause : causes(thrown)) {
      String text = String.valueOf(cause.getMessage()).strip();
      if (sentence.indexOf(text) < 0 && !text.equals("null")) {
        sentence.append(sentence.isEmpty() ? "" : ": ").append(text);
      }
    }
    return sentence.isEmpty() ? thrown.getClass().getName() : sentence.toString();
  }

  private static List<Throwable> causes(Throwable thrown) {
    return Stream.iterate(thrown, cause -> cause != null, Throwable::getCause).limit(10).toList();
  }
}
