package dev.outbox.cli.connect;

import dev.outbox.cli.Refusal;
import dev.outbox.console.look.Look;
import dev.outbox.console.look.Looker;
import picocli.CommandLine.Option;

/** How far a look counts; used by one thread, picocli sets it. */
public final class Looks {
  @Option(
      names = "--count-to",
      paramLabel = "N",
      description = "Counts no further than this in each table. Default: 10000.")
  private long bound = Looker.BOUND;

  /** Looks again and again. */
  public Looker looker(Invocation invocation) {
    Refusal.ofLess("--count-to", bound, "without it, counts end at " + Looker.BOUND);
    return new Looker(invocation.store(), bound);
  }

  /** Looks once. */
  public Look look(Invocation invocation) {
    try (Looker looker = looker(invocation)) {
      return looker.look();
    }
  }
}
