package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.jdbc.dialect.Product;
import dev.outbox.jdbc.internal.schema.Dialects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DialectsTest {
  @ParameterizedTest
  @CsvSource({
    "PostgreSQL, 13.0, postgresql",
    "PostgreSQL, '18.6 (Debian 18.6-1)', postgresql",
    "PostgreSQL, '19beta1 (Debian 19~beta1-1)', postgresql",
    "PostgreSQL, 20devel, postgresql",
    "Oracle, 'Oracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production', oracle",
    "MySQL, 8.0.15, mysql",
    "MySQL, 9.7.0, mysql",
    "MySQL, '5.5.5-10.11.19-MariaDB-0+deb12u1', mariadb",
    "MySQL, '11.4.5-MariaDB', mariadb",
    "MariaDB, '10.6.0-MariaDB', mariadb",
    "H2, '2.3.232 (2024-08-11)', h2"
  })
  void a_dialect_is_found_by_product_and_version(String name, String version, String dialect) {
    assertThat(Dialects.of(new Product(name, version)).name()).isEqualTo(dialect);
  }

  @ParameterizedTest
  @CsvSource({
    "PostgreSQL, 12.20, PostgreSQL 13",
    "PostgreSQL, 9.6, PostgreSQL 13",
    "PostgreSQL, 12beta1, PostgreSQL 13",
    "Oracle, 'Oracle Database 18c Express Edition Release 18.0.0.0.0 - Production', Oracle 19",
    "MySQL, 8.0.13, MySQL 8.0.14",
    "MySQL, 5.7.44, MySQL 8.0.14",
    "MariaDB, '10.5.9-MariaDB', MariaDB 10.6",
    "MySQL, '5.5.5-10.5.9-MariaDB', MariaDB 10.6",
    "H2, '2.2.224 (2023-09-17)', H2 2.3",
    "SQLite, 3.45, PostgreSQL 13"
  })
  void others_are_refused_with_what_is_supported(String name, String version, String supported) {
    assertThatThrownBy(() -> Dialects.of(new Product(name, version)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(name + " " + version)
        .hasMessageContaining(supported);
  }
}
