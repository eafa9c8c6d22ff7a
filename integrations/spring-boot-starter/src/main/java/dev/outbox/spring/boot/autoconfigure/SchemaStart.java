package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.jdbc.Schema;
import dev.outbox.spring.boot.OutboxCustomizer;
import dev.outbox.spring.boot.OutboxProperties;
import dev.outbox.spring.boot.diagnostics.SchemaMismatchException;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;

/** What is done about the tables before the store is made. */
final class SchemaStart {
  private SchemaStart() {}

  /**
   * Makes the tables or compares them, as the settings say.
   *
   * @throws SchemaMismatchException when they are compared and differ
   */
  static void run(
      DataSource dataSource,
      OutboxProperties.Schema settings,
      ObjectProvider<OutboxCustomizer<Schema.Builder>> customizers) {
    switch (settings.initialize()) {
      case NEVER -> {}
      case EMBEDDED -> {
        if (EmbeddedDatabaseConnection.isEmbedded(dataSource)) {
          schema(dataSource, settings, customizers).create();
        }
      }
      case ALWAYS -> schema(dataSource, settings, customizers).create();
      case VALIDATE -> requireRight(schema(dataSource, settings, customizers).verify());
    }
  }

  private static void requireRight(List<String> wrongs) {
    if (!wrongs.isEmpty()) {
      throw new SchemaMismatchException(wrongs);
    }
  }

  private static Schema schema(
      DataSource dataSource,
      OutboxProperties.Schema settings,
      ObjectProvider<OutboxCustomizer<Schema.Builder>> customizers) {
    Schema.Builder builder = StarterSettings.of(Schema.builder(dataSource), settings);
    customizers.orderedStream().forEach(each -> each.customize(builder));
    return builder.build();
  }
}
