package dev.outbox.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outbox.internal.text.HeaderJson;
import dev.outbox.jdbc.internal.message.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Our reader of header JSON says what Jackson says, but lets half a surrogate pair be in a name.
 */
class HeaderJsonFuzzTest {
  private static final Pattern HALF_A_PAIR = Pattern.compile("\\\\u[dD][89a-fA-F]");

  /** As deep as ours goes. */
  private static final ObjectMapper JACKSON =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder()
                      .maxNestingDepth(64)
                      .maxNumberLength(1_000_000)
                      .build())
              .build());

  @DictionaryEntries({
    "{\"a\":",
    "null",
    "true",
    "-1.5e+3",
    "\\u0041",
    "\\ud800",
    "[",
    "{}",
    "\"b\":\"\\\\\""
  })
  @FuzzTest
  void a_text_is_read_as_Jackson_reads_it_or_refused_as_by_Jackson(byte[] input)
      throws IOException {
    compare(new String(input, StandardCharsets.UTF_8));
  }

  private static void compare(String text) throws IOException {
    Map<String, String> expected = byJackson(text);
    Map<String, String> read;
    try {
      read = HeaderJson.read(text);
    } catch (IllegalArgumentException refused) {
      if (expected != null) {
        throw new AssertionError("Jackson reads " + expected, refused);
      }
      return;
    }
    if (expected == null) {
      Matcher halves = HALF_A_PAIR.matcher(text);
      if (!halves.find()) {
        fail("Jackson refuses what was read as %s", read);
      }
      // half a pair may be why, in a name or in one of a value: both are asked without any
      compare(halves.replaceAll("\\\\uff"));
      return;
    }
    assertThat(read).isEqualTo(expected);
    String written = JsonText.array(List.of(read));
    String object = read.isEmpty() ? "{}" : written.substring(1, written.length() - 1);
    assertThat(HeaderJson.read(object)).isEqualTo(read);
  }

  /** What the text says, or null when it is no JSON object. */
  private static @Nullable Map<String, String> byJackson(String text) throws IOException {
    Map<String, String> headers = new LinkedHashMap<>();
    if (text.isBlank()) {
      return headers;
    }
    try (JsonParser parser = JACKSON.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return null;
      }
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        int start = (int) parser.currentTokenLocation().getCharOffset();
        String string = parser.getText();
        parser.skipChildren();
        parser.finishToken();
        int end = (int) parser.currentLocation().getCharOffset();
        if (value == JsonToken.VALUE_STRING) {
          headers.put(name, string);
        } else if (value != JsonToken.VALUE_NULL) {
          headers.put(name, text.substring(start, end));
        }
      }
      return parser.nextToken() == null ? headers : null;
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      return null;
    }
  }
}
