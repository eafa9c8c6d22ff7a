package dev.outbox.jdbc.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.jdbi.v3.core.statement.ParsedSql;
import org.junit.jupiter.api.Test;

class NamedParametersTest {
  private final NamedParameters texts = new NamedParameters();

  private ParsedSql parse(String text) {
    return texts.parse(text);
  }

  @Test
  void names_become_places_in_their_order() {
    ParsedSql parsed = parse("SELECT :b FROM t WHERE a = :a AND b = :b");

    assertThat(parsed.getSql()).isEqualTo("SELECT ? FROM t WHERE a = ? AND b = ?");
    assertThat(parsed.getParameters().getParameterNames()).containsExactly("b", "a", "b");
  }

  @Test
  void a_text_without_names_stays_as_it_is() {
    assertThat(parse("SELECT 1").getSql()).isEqualTo("SELECT 1");
    assertThat(parse("SELECT 1").getParameters().getParameterCount()).isZero();
  }

  @Test
  void a_colon_in_a_literal_and_those_of_a_cast_are_no_names() {
    ParsedSql parsed =
        parse("SELECT '1970-01-01 00:00:00', 'it''s :no', CAST(:a AS text), '5'::int WHERE b = :b");

    assertThat(parsed.getSql())
        .isEqualTo(
            "SELECT '1970-01-01 00:00:00', 'it''s :no', CAST(? AS text), '5'::int WHERE b = ?");
    assertThat(parsed.getParameters().getParameterNames()).containsExactly("a", "b");
  }

  @Test
  void texts_that_come_again_are_kept_and_questions_with_a_number_of_their_own_are_not() {
    for (int i = 0; i < 1000; i++) {
      parse("SELECT :a");
      parse("/* outbox " + i + " */ SELECT :a");
    }
    assertThat(texts.kept()).isEqualTo(1);
  }
}
