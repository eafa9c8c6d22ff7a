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
  public Looker looker(Session session) {
    Refusal.ofLess("--count-to", bound, "without it, counts end at " + Looker.BOUND);
    return new Looker(session.store(), bound);
  }

  /** Looks once. */
  public Look look(Session session) {
    try (Looker looker = looker(session)) {
      return looker.look();
    }
  }
}
