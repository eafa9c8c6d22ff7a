package dev.outbox.jdbc.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NamedSqlTest {
  @Test
  void names_become_places_in_their_order() {
    NamedSql parsed = NamedSql.parse("SELECT :b FROM t WHERE a = :a AND b = :b");

    assertThat(parsed.text()).isEqualTo("SELECT ? FROM t WHERE a = ? AND b = ?");
    assertThat(parsed.names()).containsExactly("b", "a", "b");
  }

  @Test
  void a_text_without_names_stays_as_it_is() {
    assertThat(NamedSql.parse("SELECT 1").text()).isEqualTo("SELECT 1");
    assertThat(NamedSql.parse("SELECT 1").names()).isEmpty();
  }

  @Test
  void a_colon_in_a_literal_and_those_of_a_cast_are_no_names() {
    NamedSql parsed =
        NamedSql.parse(
            "SELECT '1970-01-01 00:00:00', 'it''s :no', CAST(:a AS text), '5'::int WHERE b = :b");

    assertThat(parsed.text())
        .isEqualTo(
            "SELECT '1970-01-01 00:00:00', 'it''s :no', CAST(? AS text), '5'::int WHERE b = ?");
    assertThat(parsed.names()).containsExactly("a", "b");
  }
}
