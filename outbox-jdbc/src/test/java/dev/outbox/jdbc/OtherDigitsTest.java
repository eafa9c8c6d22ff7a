package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.cluster.Clusters;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Java writes numbers with the digits of the user's language, of which databases know none. */
@Isolated("it sets the language of the process")
class OtherDigitsTest {
  private final Locale before = Locale.getDefault();

  @BeforeEach
  void speakPersian() {
    Locale.setDefault(Locale.forLanguageTag("fa-IR"));
    assertThat("%d".formatted(7)).isNotEqualTo("7");
  }

  @AfterEach
  void speakAsBefore() {
    Locale.setDefault(before);
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "H2"})
  void tables_are_made_for_several_clusters(Database database) {
    try (Sandbox sandbox = database.sandbox()) {
      Schema schema = Schema.builder(sandbox.pool()).lanes(64).clusters(Clusters.of(3, 1)).build();
      schema.create();
      assertThat(schema.verify()).isEmpty();
      assertThat(JdbcStore.create(sandbox.pool()).layout().lanes()).isEqualTo(64);
    }
  }

  @Test
  void the_file_that_upgrades_older_tables_is_named_as_it_is() throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      Schema schema = Schema.builder(sandbox.pool()).build();
      schema.create();
      try (Connection connection = sandbox.open();
          Statement statement = connection.createStatement()) {
        statement.executeUpdate("UPDATE outbox_meta SET schema_version = 2");
      }
      assertThatThrownBy(schema::create).hasMessageContaining("ddl/h2/upgrade-3.sql");
    }
  }
}
