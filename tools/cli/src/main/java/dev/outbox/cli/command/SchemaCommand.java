package dev.outbox.cli.command;

import dev.outbox.Claiming;
import dev.outbox.OutboxException;
import dev.outbox.cli.Exit;
import dev.outbox.cli.Refusal;
import dev.outbox.cli.Remedies;
import dev.outbox.cli.connect.Invocation;
import dev.outbox.cli.text.Printer;
import dev.outbox.jdbc.Schema;
import dev.outbox.spi.Layout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The tables. */
@Command(name = "schema", description = "Prints, compares and upgrades the tables.")
public final class SchemaCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private CommandSpec spec;

  private SchemaCommand() {}

  /** The command with those below it. */
  public static CommandLine of(Invocation invocation) {
    return new CommandLine(new SchemaCommand())
        .addSubcommand(new Print(invocation))
        .addSubcommand(new Diff(invocation))
        .addSubcommand(new Upgrade(invocation))
        .addSubcommand(new HelpCommand());
  }

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "name print, diff or upgrade");
  }

  /** How the tables are laid out. */
  private static final class Tables {
    @Option(
        names = "--lanes",
        paramLabel = "N",
        description = "The lanes. Default: 32, or as they are.")
    private @Nullable Integer lanes;

    @Option(names = "--claiming", description = "lanes or rows. Default: lanes, or as it is.")
    private @Nullable Claiming claiming;

    @Option(
        names = "--with",
        paramLabel = "PART",
        split = ",",
        description = "Optional tables: ${COMPLETION-CANDIDATES}.")
    private List<Schema.Part> parts = new ArrayList<>();

    Schema of(Invocation invocation) {
      check();
      Schema.Builder builder = invocation.schema();
      if (claiming != null) {
        builder.claiming(claiming);
      }
      if (lanes != null) {
        builder.lanes(lanes);
      }
      parts.forEach(builder::with);
      return builder.build();
    }

    private void check() {
      if (lanes == null) {
        return;
      }
      if (claiming == Claiming.ROWS && lanes != 1) {
        throw new Refusal(
            Exit.USAGE,
            "--claiming rows has one lane, --lanes is %d; leave it out".formatted(lanes));
      }
      Refusal.ofOther("--lanes", lanes, 1, Layout.MAX_LANES, "without it there are 32");
    }

    /** How the tables differ from what was asked for; nothing when nothing was. */
    List<String> otherThan(Layout made) {
      List<String> differences = new ArrayList<>();
      if (claiming != null && claiming != made.claiming()) {
        differences.add(
            "the tables are claimed by %s, --claiming is %s"
                .formatted(word(made.claiming()), word(claiming)));
      }
      if (lanes != null && lanes != made.lanes()) {
        differences.add("the tables have %d lanes, --lanes is %d".formatted(made.lanes(), lanes));
      }
      return differences;
    }

    private static String word(Claiming claiming) {
      return claiming.name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What is wrong with the tables; else how they differ from what was asked for, or why they are
   * refused all the same, as for their version.
   */
  private static List<String> differences(Invocation invocation, Tables tables) {
    List<String> wrong = tables.of(invocation).verify();
    if (!wrong.isEmpty()) {
      return wrong;
    }
    try {
      return tables.otherThan(invocation.store().layout());
    } catch (OutboxException e) {
      return List.of(Remedies.atShell(String.valueOf(e.getMessage())));
    }
  }

  /** Prints the DDL. */
  @Command(name = "print", description = "Prints the DDL for this database.")
  static final class Print implements Callable<Integer> {
    private final Invocation invocation;
    @Mixin private Tables tables = new Tables();

    Print(Invocation invocation) {
      this.invocation = invocation;
    }

    @Override
    public Integer call() {
      String ddl = tables.of(invocation).ddl();
      invocation.printer().answer(Map.of("ddl", ddl), printer -> printer.line(ddl.strip()));
      return Exit.DONE;
    }
  }

  /** Compares. */
  @Command(
      name = "diff",
      description = "What is missing or otherwise than it should be. Exit code 1 if anything is.")
  static final class Diff implements Callable<Integer> {
    private final Invocation invocation;
    @Mixin private Tables tables = new Tables();

    Diff(Invocation invocation) {
      this.invocation = invocation;
    }

    @Override
    public Integer call() {
      List<String> wrong = differences(invocation, tables);
      invocation
          .printer()
          .answer(
              Map.of("differences", wrong),
              printer -> {
                wrong.forEach(each -> printer.line(printer.colour("33", "! ") + each));
                if (wrong.isEmpty()) {
                  printer.troubles(List.of());
                }
              });
      return wrong.isEmpty() ? Exit.DONE : Exit.FOUND;
    }
  }

  /** Upgrades. */
  @Command(
      name = "upgrade",
      description =
          "Brings tables of an older version to this one. Close all relays first. Exit code 1 if"
              + " they differ then.")
  static final class Upgrade implements Callable<Integer> {
    private final Invocation invocation;

    @Option(
        names = "--dry-run",
        description = "Says what differs now, prints the statements, and changes nothing.")
    private boolean dryRun;

    Upgrade(Invocation invocation) {
      this.invocation = invocation;
    }

    @Override
    public Integer call() {
      Schema schema = invocation.schema().build();
      List<String> before = differences(invocation, new Tables());
      return dryRun ? wouldRun(schema, before) : upgraded(schema, before);
    }

    private int wouldRun(Schema schema, List<String> before) {
      String ddl = schema.upgradeDdl().strip();
      Map<String, Object> values = values(before, before);
      values.put("ddl", ddl);
      invocation
          .printer()
          .answer(
              values,
              printer -> {
                printer.line("-- dry run: nothing was changed");
                before.forEach(each -> printer.line("-- ! " + Printer.inLine(each)));
                if (!ddl.isEmpty()) {
                  printer.line("\n" + ddl);
                }
              });
      return Exit.DONE;
    }

    private int upgraded(Schema schema, List<String> before) {
      boolean isDue = !schema.upgradeDdl().isEmpty();
      try {
        schema.upgrade();
      } catch (IllegalStateException e) {
        // once all steps have run it says what differs, as we do below
        if (!isDue || !schema.upgradeDdl().isEmpty()) {
          throw e;
        }
      }
      List<String> after = schema.verify();
      String others = after.isEmpty() ? "" : ", but not as they should be:";
      invocation
          .printer()
          .answer(
              values(before, after),
              printer -> {
                printer.line("the tables are of this version" + others);
                after.forEach(each -> printer.line("! " + each));
              });
      return after.isEmpty() ? Exit.DONE : Exit.FOUND;
    }

    private Map<String, Object> values(List<String> before, List<String> after) {
      Map<String, Object> values = new LinkedHashMap<>();
      values.put("dryRun", dryRun);
      values.put("before", before);
      values.put("after", after);
      return values;
    }
  }
}
