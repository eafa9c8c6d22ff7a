package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.jdbc.Schema;
import dev.outbox.spi.Layout;
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
          customized(schema(dataSource, settings), customizers).create();
        }
      }
      case ALWAYS -> customized(schema(dataSource, settings), customizers).create();
      case VALIDATE -> requireRight(customized(schema(dataSource, settings), customizers).verify());
    }
  }

  private static void requireRight(List<String> wrongs) {
    if (!wrongs.isEmpty()) {
      throw new SchemaMismatchException(wrongs);
    }
  }

  /** In what tables with that layout differ from those of this version. */
  static List<String> differences(
      DataSource dataSource,
      Layout layout,
      OutboxProperties.Schema settings,
      ObjectProvider<OutboxCustomizer<Schema.Builder>> customizers) {
    Schema.Builder laidOut =
        schema(dataSource, settings).claiming(layout.claiming()).lanes(layout.lanes());
    return customized(laidOut, customizers).verify();
  }

  private static Schema.Builder schema(DataSource dataSource, OutboxProperties.Schema settings) {
    return StarterSettings.of(Schema.builder(dataSource), settings);
  }

  private static Schema customized(
      Schema.Builder builder, ObjectProvider<OutboxCustomizer<Schema.Builder>> customizers) {
    customizers.orderedStream().forEach(each -> each.customize(builder));
    return builder.build();
  }
}
