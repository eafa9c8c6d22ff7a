package dev.outbox.jdbc.internal.doctor.base;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A row of an answer, by the names of its columns in lower case. */
public record ResultRow(Map<String, ? extends @Nullable Object> columns) {
  public String text(String column) {
    return Objects.toString(columns.get(column), "");
  }

  public long number(String column) {
    String text = text(column);
    return text.isEmpty() ? 0 : new BigDecimal(text).longValue();
  }

  /** True for what servers say when they mean yes. */
  public boolean is(String column) {
    return switch (text(column)) {
      case "1", "true", "TRUE", "t", "on", "ON", "YES", "yes" -> true;
      default -> false;
    };
  }
}
