package dev.outbox.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

/** Columns stand below each other, whatever script the names are in. */
class TableTest {
  private static List<String> table(List<List<String>> rows) {
    StringWriter out = new StringWriter();
    Terminal terminal =
        new Terminal(
            new PrintWriter(out), new PrintWriter(new StringWriter()), Map.of(), Ansi.OFF, null);
    new Printer(terminal, false).table(List.of("KEY", "N"), rows);
    return out.toString().lines().toList();
  }

  @Test
  void signs_that_are_two_columns_wide_move_nothing() {
    assertThat(
            table(
                List.of(
                    List.of("東京都", "1"),
                    List.of("서울", "2"),
                    List.of("abcdef", "3"),
                    List.of("Ｆｕ", "4"),
                    List.of("😀x", "5"))))
        .containsExactly("KEY     N", "東京都  1", "서울    2", "abcdef  3", "Ｆｕ    4", "😀x     5");
  }

  @Test
  void accents_that_are_signs_of_their_own_take_no_column() {
    assertThat(table(List.of(List.of("re\u0301sume\u0301", "1"), List.of("abcdef", "2"))))
        .containsExactly("KEY     N", "re\u0301sume\u0301  1", "abcdef  2");
  }

  @Test
  void a_long_cell_is_cut_between_signs() {
    assertThat(table(List.of(List.of("東".repeat(40), "1"))).get(1))
        .isEqualTo("東".repeat(29) + "\u2026  1");
    assertThat(table(List.of(List.of("x" + "😀".repeat(40), "1"))).get(1))
        .isEqualTo("x" + "😀".repeat(29) + "\u2026  1");
  }
}
