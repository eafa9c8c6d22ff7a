package dev.outbox.jdbc.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TablesTest {
  @Test
  void names_carry_prefix_and_schema() {
    Tables tables = Tables.of("app", "mail", 63);
    assertThat(tables.name("outbox")).isEqualTo("app.mail");
    assertThat(tables.name("lane")).isEqualTo("app.mail_lane");
    assertThat(tables.render("SELECT {now} FROM {outbox} o, {parked} p", "c()"))
        .isEqualTo("SELECT c() FROM app.mail o, app.mail_parked p");
  }

  @Test
  void indexes_and_constraints_carry_the_prefix_only() {
    String ddl =
        "CREATE INDEX outbox_dead_died ON outbox_dead (died_at); CONSTRAINT outbox_pk ON outbox";
    assertThat(Tables.of("app", "mail", 63).renderDdl(ddl))
        .isEqualTo(
            "CREATE INDEX mail_dead_died ON app.mail_dead (died_at); CONSTRAINT mail_pk ON app.mail");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "1a", "_a", "a b", "a;", "a--", "a\"", "a'", "a.b", "\u00E4", "a$", "a`", "a\n"
      })
  void other_names_are_refused(String name) {
    assertThatThrownBy(() -> Tables.of(null, name, 63))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("table prefix is '" + name + "'");
    assertThatThrownBy(() -> Tables.of(name, "outbox", 63)).hasMessageContaining("schema is '");
  }

  @Test
  void a_prefix_leaves_room_for_the_longest_index_name() {
    assertThat(Tables.of(null, "a".repeat(45), 63).prefix()).hasSize(45);
    assertThatThrownBy(() -> Tables.of(null, "a".repeat(46), 63))
        .hasMessageContaining("46 characters")
        .hasMessageContaining("at most 45");
  }
}
