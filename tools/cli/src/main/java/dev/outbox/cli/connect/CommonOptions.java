package dev.outbox.cli.connect;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The options that all commands have: which database, and how to answer.
 *
 * <p>Used by one thread; picocli sets it.
 */
public final class CommonOptions {
  @Option(
      names = "--url",
      paramLabel = "JDBC-URL",
      scope = ScopeType.INHERIT,
      description = "The database. Default: OUTBOX_URL.")
  @Nullable String url;

  @Option(
      names = "--user",
      scope = ScopeType.INHERIT,
      description = "The database user. Default: OUTBOX_USER.")
  @Nullable String user;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description =
          "Has the password in its first line. Default: OUTBOX_PASSWORD, or a question at the"
              + " terminal.")
  @Nullable Path passwordFile;

  @Option(
      names = "--driver",
      paramLabel = "JAR",
      scope = ScopeType.INHERIT,
      description =
          "The JDBC driver of another database than PostgreSQL and MariaDB; repeat it for several"
              + " jars.")
  List<Path> drivers = new ArrayList<>();

  @Option(
      names = "--schema",
      scope = ScopeType.INHERIT,
      description = "The schema of the tables. Default: the user's own.")
  @Nullable String schema;

  @Option(
      names = "--table-prefix",
      paramLabel = "PREFIX",
      scope = ScopeType.INHERIT,
      description = "How the tables' names begin. Default: outbox.")
  @Nullable String tablePrefix;

  @Option(
      names = "--json",
      scope = ScopeType.INHERIT,
      description = "Answers in JSON, for scripts.")
  boolean json;
}
