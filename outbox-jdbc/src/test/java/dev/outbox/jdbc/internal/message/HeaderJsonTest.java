package dev.outbox.jdbc.internal.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.sun.management.ThreadMXBean;
import dev.outbox.internal.text.HeaderJson;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HeaderJsonTest {
  @Test
  void headers_come_back_in_order() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("z", "1");
    headers.put("a", "");
    headers.put("\uD83D\uDE80", "\u00E9\u8A9E");
    headers.put("quote\"back\\slash", "line\nfeed\ttab\u0001\u001F/");
    String json = JsonText.headers(headers);
    assertThat(HeaderJson.read(json)).containsExactlyEntriesOf(headers);
  }

  /** A row that plain SQL wrote must not keep the relay for minutes. */
  @Test
  void reading_takes_memory_in_proportion_to_the_text() {
    Map<String, String> headers = new LinkedHashMap<>();
    IntStream.range(0, 20_000).forEach(i -> headers.put("name-" + i, "\n"));
    String json = JsonText.headers(headers);
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = thread.getCurrentThreadAllocatedBytes();
    assertThat(HeaderJson.read(json)).hasSize(20_000);
    long taken = thread.getCurrentThreadAllocatedBytes() - before;
    assertThat(taken).isLessThan(100L * json.length());
  }

  @Test
  void no_headers_are_no_text() {
    assertThat(JsonText.headers(Map.of())).isNull();
    assertThat(HeaderJson.read(null)).isEmpty();
    assertThat(HeaderJson.read("")).isEmpty();
    assertThat(HeaderJson.read(" {} ")).isEmpty();
  }

  @Test
  void what_others_wrote_is_read_as_its_text() {
    String json =
        """
        { "n" : -1.5e3, "t" : true, "nothing" : null, "u" : "\\u00e9\\/\\b\\f\\r",
          "o" : {"a": [1, {"b": "}"}]}, "l" : [ ], "last" : "x" }
        """;
    assertThat(HeaderJson.read(json))
        .containsExactly(
            entry("n", "-1.5e3"),
            entry("t", "true"),
            entry("u", "\u00E9/\b\f\r"),
            entry("o", "{\"a\": [1, {\"b\": \"}\"}]}"),
            entry("l", "[ ]"),
            entry("last", "x"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "1",
        "null",
        "\"x\"",
        "{",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,}",
        "{a:1}",
        "{\"a\":01}",
        "{\"a\":tru}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12\"}",
        "{\"a\":\"b}",
        "{\"a\":1} x",
        "{\"a\":\"\n\"}",
        "{}{}",
        "{\"a\":1}\u0000"
      })
  void broken_text_is_refused_with_its_place(String json) {
    assertThatThrownBy(() -> HeaderJson.read(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("headers are not a JSON object: expected")
        .hasMessageContaining(" of " + json.length());
  }

  @Test
  void a_text_that_nests_without_end_is_refused() {
    String json = "{\"a\":" + "[".repeat(100_000);
    assertThatThrownBy(() -> HeaderJson.read(json)).hasMessageContaining("fewer than 64 levels");
  }
}
