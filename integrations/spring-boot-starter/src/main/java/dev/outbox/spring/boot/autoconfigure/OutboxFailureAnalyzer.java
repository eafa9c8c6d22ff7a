package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.OutboxException;
import dev.outbox.StoreException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** Says in place of a stack trace why the outbox or its relay did not start. */
final class OutboxFailureAnalyzer implements FailureAnalyzer {
  private static final String FINDINGS =
      "Each line above names its remedy. A process that only writes needs no relay: outbox.relay.enabled=false.";
  private static final String TABLES =
      "outbox.schema.initialize=always makes the tables that are missing. For Flyway and Liquibase they are in outbox-jdbc.jar: dev/outbox/jdbc/ddl/<database>/*.sql.";

  @Override
  public @Nullable FailureAnalysis analyze(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutboxException refusal && !refusal.findings().isEmpty()) {
        return analysis(refusal, FINDINGS);
      }
      if (cause instanceof StoreException refusal) {
        return isOfTables(refusal) ? analysis(refusal, TABLES) : null;
      }
      if (cause instanceof SchemaMismatchException mismatch) {
        return analysis(mismatch, TABLES);
      }
    }
    return null;
  }

  /** The remedy of the store names the same in Java. Other refusals need another one. */
  private static boolean isOfTables(StoreException refusal) {
    return String.valueOf(refusal.getMessage()).contains("Schema.builder(dataSource).create()");
  }

  private static FailureAnalysis analysis(RuntimeException cause, String action) {
    return new FailureAnalysis(String.valueOf(cause.getMessage()), action, cause);
  }
}
