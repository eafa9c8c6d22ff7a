package dev.outbox.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Claiming;
import dev.outbox.cluster.Clusters;
import dev.outbox.jdbc.Schema;
import dev.outbox.jdbc.dialect.H2Dialect;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.jdbc.shape.AppendSql;
import dev.outbox.jdbc.shape.OnceSql;
import dev.outbox.jdbc.sql.IdStatement;
import dev.outbox.jdbc.sql.Statement;
import dev.outbox.jdbc.sql.Statements;
import dev.outbox.spi.Layout;
import java.lang.reflect.RecordComponent;
import java.sql.Connection;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * H2 as applications take it for their tests, in the mode of the database that they have: it reads
 * less then than in its own, or keeps names otherwise.
 */
final class H2ModesTest {
  /** They are not whole before a table or a number is known. */
  private static final Set<IdStatement> PARTS =
      EnumSet.of(IdStatement.NEXT_ID, IdStatement.RAISE_NEXT_ID, IdStatement.RAISE_EPOCHS);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH",
        ";MODE=MySQL;DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
        ";MODE=MariaDB;DATABASE_TO_LOWER=TRUE",
        ";MODE=Oracle;DEFAULT_NULL_ORDERING=HIGH",
        ";MODE=MSSQLServer",
        ";MODE=DB2",
        ";MODE=STRICT"
      })
  void every_mode_takes_the_tables_and_the_statements(String options) throws Exception {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + options);
    try (Connection connection = dataSource.getConnection()) {
      Schema.Builder schema = Schema.builder(dataSource).clusters(Clusters.of(3, 1));
      Stream.of(Schema.Part.values()).forEach(schema::with);
      schema.create();
      assertThat(schema.build().verify()).isEmpty();

      H2Dialect dialect = new H2Dialect();
      Tables tables = Tables.of(null, Tables.DEFAULT_PREFIX, dialect.maxIdentifier());
      Sql sql = new Sql(dialect, tables, null).at(new Layout(3, 32, Claiming.LANES, 3, 1));
      for (Statement statement : Statements.all()) {
        if (!PARTS.contains(statement)) {
          for (String text : texts(sql.statements().shape(statement)).toList()) {
            connection.prepareStatement(sql.named(text).text()).close();
          }
        }
      }
    }
  }

  private static Stream<String> texts(Object shape) throws ReflectiveOperationException {
    if (shape instanceof AppendSql.Tuples tuples) {
      return Stream.of(tuples.head() + tuples.tuple());
    }
    if (shape instanceof OnceSql.Tuples tuples) {
      return Stream.of(tuples.head() + tuples.tuple() + tuples.tail());
    }
    if (shape instanceof String text) {
      return text.isEmpty() ? Stream.of() : Stream.of(text);
    }
    Stream<String> texts = Stream.of();
    if (shape instanceof Record parts) {
      for (RecordComponent component : parts.getClass().getRecordComponents()) {
        texts = Stream.concat(texts, texts(component.getAccessor().invoke(parts)));
      }
    }
    return texts;
  }
}
