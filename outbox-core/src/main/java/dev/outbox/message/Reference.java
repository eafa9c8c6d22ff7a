package dev.outbox.message;

import dev.outbox.internal.text.StorableText;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is stored of a message whose payload is in one of the application's rows: the table and the
 * id of the row.
 *
 * <p>Immutable. The table is an identifier, or two with a dot between (a schema and a table), of
 * letters, digits and underscores, at most {@value #MAX_TABLE_LENGTH} characters in all; the id at
 * most {@value #MAX_ID_LENGTH} characters, not empty, no NUL, no half surrogate pairs.
 *
 * <pre>{@code
 * Message message = Message.to("orders.placed").reference("orders", 42);
 * Reference same = Reference.ofColumns("orders", "42"); // null when both are
 * }</pre>
 */
public record Reference(String table, String id) {
  /** The longest table name, in characters. */
  public static final int MAX_TABLE_LENGTH = 128;

  /** The longest id, in UTF-16 characters. */
  public static final int MAX_ID_LENGTH = 255;

  /**
   * What replaces the payload of a message until its row was loaded: type {@code reference}, no
   * bytes.
   */
  public static final Payload UNRESOLVED = new Payload("reference", new byte[0]);

  private static final Pattern TABLE =
      Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?");

  /**
   * @throws IllegalArgumentException when the table is no identifier, or one of the two is empty,
   *     too long, or not storable on every database
   */
  public Reference {
    StorableText.check("reference table", table, MAX_TABLE_LENGTH);
    if (!TABLE.matcher(table).matches()) {
      throw new IllegalArgumentException(
          "reference table is '%s', it must be an identifier of letters, digits and underscores, with at most one schema and a dot before it"
              .formatted(table));
    }
    StorableText.check("reference id", id, MAX_ID_LENGTH);
  }

  /**
   * Reads the two columns of a row: null when both are.
   *
   * @throws IllegalArgumentException when only one is there, or one breaks a rule
   */
  public static @Nullable Reference ofColumns(@Nullable String table, @Nullable String id) {
    if (table == null && id == null) {
      return null;
    }
    if (table == null || id == null) {
      throw new IllegalArgumentException(
          "a reference needs a table and an id, here are table '%s' and id '%s'"
              .formatted(table, id));
    }
    return new Reference(table, id);
  }

  /** As {@code mail_deliveries '7'}. */
  @Override
  public String toString() {
    return table + " '" + id + "'";
  }
}
