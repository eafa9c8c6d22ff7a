package dev.outbox.spring.boot.diagnostics;

import dev.outbox.OutboxException;
import dev.outbox.StoreException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** Says in place of a stack trace why the outbox or its relay did not start. */
final class OutboxFailureAnalyzer implements FailureAnalyzer {
  private static final String FINDINGS =
      "Each line above names its remedy. A process that only writes needs no relay: outbox.relay.enabled=false.";
  private static final String TABLES =
      "outbox.schema.initialize=always makes the tables that are missing; outbox.schema.name and outbox.schema.table-prefix say where they are. For Flyway and Liquibase they are in outbox-jdbc.jar: dev/outbox/jdbc/ddl/<database>/*.sql.";

  private static final String SETTINGS = "Change it by these properties: ";

  @Override
  public @Nullable FailureAnalysis analyze(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutboxException refusal && !refusal.findings().isEmpty()) {
        return analysis(refusal, isOfTables(refusal) ? FINDINGS + "\n\n" + TABLES : FINDINGS);
      }
      if (cause instanceof StoreException refusal) {
        return isOfTables(refusal) ? analysis(refusal, TABLES) : null;
      }
      if (cause instanceof SchemaMismatchException mismatch) {
        return analysis(mismatch, TABLES);
      }
      if (cause instanceof RuntimeException refusal && isOfSettings(refusal)) {
        List<String> named = NamedProperties.in(String.valueOf(refusal.getMessage()));
        return named.isEmpty() ? null : analysis(refusal, SETTINGS + String.join(", ", named));
      }
    }
    return null;
  }

  /** The remedy of the library names the same in Java. Other refusals need another one. */
  private static boolean isOfTables(RuntimeException refusal) {
    String text = String.valueOf(refusal.getMessage());
    return text.contains("Schema.builder(dataSource).") && text.contains(".create()");
  }

  /** Thrown by the library itself, as an application does too. */
  private static boolean isOfSettings(RuntimeException refusal) {
    StackTraceElement[] trace = refusal.getStackTrace();
    return (refusal instanceof IllegalArgumentException || refusal instanceof IllegalStateException)
        && trace.length > 0
        && trace[0].getClassName().startsWith("dev.outbox.");
  }

  private static FailureAnalysis analysis(RuntimeException cause, String action) {
    return new FailureAnalysis(String.valueOf(cause.getMessage()), action, cause);
  }
}
