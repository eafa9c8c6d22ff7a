package dev.outbox.cli.command;

import dev.outbox.OutboxException;
import dev.outbox.OutboxException.Finding;
import dev.outbox.OutboxException.Finding.Severity;
import dev.outbox.cli.Exit;
import dev.outbox.cli.Remedies;
import dev.outbox.cli.connect.Invocation;
import dev.outbox.cli.text.Printer;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.spi.Usage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Looks for what would break or slow the work. */
@Command(
    name = "doctor",
    description = "Looks for what would break or slow the work. Exit code 1 if it found a failure.")
public final class DoctorCommand implements Callable<Integer> {
  private final Invocation invocation;

  @Option(
      names = "--role",
      description =
          "Whose work: writer, relay, operator, or capture where a log reader reads the tables. Default:"
              + " operator. The user, its grants and its connection are those of this call.")
  private Usage.Role role = Usage.Role.OPERATOR;

  public DoctorCommand(Invocation invocation) {
    this.invocation = invocation;
  }

  @Override
  public Integer call() {
    List<Finding> findings = examine().stream().map(DoctorCommand::atShell).toList();
    boolean failed = findings.stream().anyMatch(finding -> finding.severity() == Severity.FAILURE);
    invocation
        .printer()
        .answer(
            Map.of("findings", findings.stream().map(DoctorCommand::values).toList()),
            printer -> print(printer, findings, role));
    return failed ? Exit.FOUND : Exit.DONE;
  }

  private List<Finding> examine() {
    JdbcStore store;
    try {
      store = invocation.store();
    } catch (OutboxException e) {
      return unfit(e);
    }
    return store.examine(new Usage(role, store.layout().claiming(), 1, Duration.ofSeconds(15)));
  }

  private static Finding atShell(Finding finding) {
    return new Finding(finding.severity(), finding.code(), Remedies.atShell(finding.text()));
  }

  /** What is wrong with tables that no store can use. */
  private List<Finding> unfit(OutboxException refusal) {
    List<String> wrong;
    try {
      wrong = invocation.schema().build().verify();
    } catch (OutboxException e) { // the database cannot be asked
      refusal.addSuppressed(e);
      throw refusal;
    }
    return Stream.concat(Stream.of(String.valueOf(refusal.getMessage())), wrong.stream())
        .map(text -> new Finding(Severity.FAILURE, "tables-wrong", text))
        .toList();
  }

  private static Map<String, String> values(Finding finding) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("severity", finding.severity().name().toLowerCase(Locale.ROOT));
    values.put("code", finding.code());
    values.put("text", finding.text());
    return values;
  }

  private static void print(Printer printer, List<Finding> findings, Usage.Role role) {
    if (findings.isEmpty()) {
      String word = role.name().toLowerCase(Locale.ROOT);
      printer.line(printer.colour("32", "\u2713 all is well for the role " + word));
    }
    for (Finding finding : findings) {
      boolean isFailure = finding.severity() == Severity.FAILURE;
      String mark = isFailure ? printer.colour("1;31", "\u2717 ") : printer.colour("33", "! ");
      printer.line(mark + printer.bold(finding.code()) + ": " + Printer.safe(finding.text()));
    }
  }
}
