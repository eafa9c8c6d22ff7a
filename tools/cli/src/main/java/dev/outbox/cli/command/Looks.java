package dev.outbox.cli.command;

import dev.outbox.cli.connect.Session;
import dev.outbox.console.look.Look;
import dev.outbox.console.look.Looker;
import picocli.CommandLine.Option;

/** How far a look counts; used by one thread, picocli sets it. */
final class Looks {
  @Option(
      names = "--count-to",
      paramLabel = "N",
      description = "Counts no further than this in each table. Default: 10000.")
  private long bound = Looker.BOUND;

  Looker looker(Session session) {
    return new Looker(session.store(), bound);
  }

  Look look(Session session) {
    try (Looker looker = looker(session)) {
      return looker.look();
    }
  }
}
