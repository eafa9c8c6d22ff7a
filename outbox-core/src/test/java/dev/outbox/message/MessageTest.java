package dev.outbox.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {
  @Test
  void a_topic_has_1_to_255_characters() {
    assertThat(Message.to("t".repeat(255)).text("x").topic()).hasSize(255);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.to("t".repeat(256)))
        .withMessageStartingWith("topic has 256 characters, the limit is 255");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.to(""))
        .withMessage("topic is empty; give it a value of 1 to 255 characters");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.to("  "))
        .withMessage("topic has blanks only; give it a name of 1 to 255 characters: '  '");
    assertThat(Message.to(" t ").text("x").topic()).isEqualTo(" t ");
  }

  @Test
  void keys_come_from_text_numbers_and_UUIDs() {
    UUID uuid = UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057");

    assertThat(Message.to("t").key(-7).text("x").key()).isEqualTo(new Key("-7"));
    assertThat(Message.to("t").key(uuid).text("x").key()).isEqualTo(new Key(uuid.toString()));
    assertThat(Message.to("t").text("x").key()).isNull();
  }

  @Test
  void what_is_null_is_refused_by_name() {
    assertThatNullPointerException()
        .isThrownBy(() -> Message.to("t").key((UUID) null))
        .withMessage("key is null; leave key(..) out for a message without an order");
    assertThatNullPointerException()
        .isThrownBy(() -> Message.to("t").reference("mails", (UUID) null))
        .withMessage("reference id");
    assertThatNullPointerException()
        .isThrownBy(() -> Message.to("t").headers(null))
        .withMessage("headers");
    assertThatNullPointerException()
        .isThrownBy(() -> Message.to("t").deliverAfter(null))
        .withMessage("deliverAfter");
    assertThatNullPointerException()
        .isThrownBy(() -> Message.to("t").bytes(null))
        .withMessage("bytes");
  }

  @Test
  void a_header_given_twice_is_refused_by_name() {
    Message.Draft draft = Message.to("t").header("tenant", "a");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> draft.header("tenant", "b"))
        .withMessage("header tenant is given twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> draft.headers(Map.of("tenant", "b")))
        .withMessage("header tenant is given twice");
    assertThat(draft.text("x").headers()).containsExactly(Map.entry("tenant", "a"));
  }

  @Test
  void a_header_value_may_be_empty_but_a_name_may_not() {
    assertThat(Message.to("t").header("flag", "").text("x").headers()).containsEntry("flag", "");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.to("t").header("", "v"))
        .withMessageStartingWith("header name is empty");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.to("t").header("n".repeat(256), "v"))
        .withMessageStartingWith("header name has 256 characters, the limit is 255");
  }

  @Test
  void a_header_value_that_no_column_holds_is_refused_with_the_name() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.to("t").header("trace", "a\0"))
        .withMessageStartingWith("header trace has a NUL character at index 1");
  }

  @Test
  void a_header_without_a_value_is_refused_by_name() {
    assertThatNullPointerException()
        .isThrownBy(() -> Message.to("t").header("tenant", null))
        .withMessage("header tenant");
  }

  @Test
  void headers_keep_their_order() {
    assertThat(Message.to("t").header("z", "1").header("a", "2").text("x").headers().keySet())
        .containsExactly("z", "a");
  }

  @Test
  void a_draft_used_again_does_not_change_the_message_made_before() {
    Message.Draft draft = Message.to("t").header("a", "1");
    Message first = draft.text("x");

    draft.header("b", "2").text("y");

    assertThat(first.headers()).containsOnlyKeys("a");
  }

  @Test
  void deliverAfter_lies_between_zero_and_ten_years() {
    assertThat(Message.to("t").deliverAfter(Duration.ZERO).text("x").due())
        .isEqualTo(new Message.Due.After(Duration.ZERO));
    assertThat(Message.to("t").deliverAfter(Duration.ofDays(3650)).text("x").due())
        .isEqualTo(new Message.Due.After(Duration.ofDays(3650)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.to("t").deliverAfter(Duration.ofMillis(-1)))
        .withMessage("deliverAfter is PT-0.001S, the minimum is zero");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.to("t").deliverAfter(Duration.ofDays(3650).plusNanos(1)))
        .withMessageEndingWith("the limit is 3650 days");
  }

  @Test
  void deliverAt_and_notAfter_lie_where_every_database_has_timestamps() {
    Instant first = Instant.parse("1970-01-02T00:00:00Z");
    Instant last = Instant.parse("9999-12-30T00:00:00Z");

    assertThat(Message.to("t").deliverAt(first).notAfter(last).text("x"))
        .returns(new Message.Due.At(first), Message::due)
        .returns(last, Message::notAfter);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.to("t").deliverAt(first.minusNanos(1)))
        .withMessage(
            "deliverAt is 1970-01-01T23:59:59.999999999Z, it must lie between %s and %s"
                .formatted(first, last));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.to("t").notAfter(Instant.MAX))
        .withMessageStartingWith("notAfter is ");
  }

  @Test
  void bytes_are_copied() {
    byte[] mine = {1, 2};
    Message message = Message.to("t").bytes(mine);

    mine[0] = 9;

    assertThat(message.payload(new NoCodec()).bytes()).containsExactly(1, 2);
  }

  @Test
  void text_is_UTF_8_and_may_be_empty_or_hold_NUL() {
    assertThat(Message.to("t").text("\u00e9\ud83d\ude80\0").payload(new NoCodec()).bytes())
        .isEqualTo("\u00e9\ud83d\ude80\0".getBytes(StandardCharsets.UTF_8));
    assertThat(Message.to("t").text("").payload(new NoCodec()).bytes()).isEmpty();
  }

  @Test
  void text_with_half_a_surrogate_pair_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.to("t").text("a\ud83d"))
        .withMessage("text has half a surrogate pair, which has no UTF-8 form");
  }

  @Test
  void a_missing_payload_is_refused_at_once() {
    assertThatNullPointerException()
        .isThrownBy(() -> Message.to("t").payload(null))
        .withMessage("payload");
  }

  @ParameterizedTest
  @ValueSource(classes = {String.class, StringBuilder.class})
  void a_text_is_no_payload_object_and_the_remedy_is_named(Class<? extends CharSequence> type)
      throws Exception {
    CharSequence text = type.getConstructor(String.class).newInstance("{\"secret\":1}");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.to("t").payload(text))
        .withMessage(
            "payload is a %s; use json(text) for JSON, text(text) for plain text, or bytes(..) for bytes"
                .formatted(type.getSimpleName()));
  }

  @Test
  void bytes_are_no_payload_object_because_a_codec_would_write_them_as_base64() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Message.to("t").payload("{\"secret\":1}".getBytes(StandardCharsets.UTF_8)))
        .withMessage(
            "payload is a byte[]; use json(text) for JSON, text(text) for plain text, or bytes(..) for bytes");
  }

  @ParameterizedTest
  @ValueSource(ints = {1001, 5000})
  void json_that_is_nested_too_deep_is_refused_with_the_limit(int depth) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.to("t").json("[".repeat(depth) + "]".repeat(depth)))
        .withMessageStartingWith("json is more than is read of JSON: ")
        .withMessageContaining("depth (1001) exceeds the maximum allowed (1000")
        .withMessageEndingWith("; give it to bytes(bytes, \"application/json\")");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"a\":[1,{}]} ", " [ ]", "\"placed\"", "-1.5e3", "null", "\"\u00e9\\u0000\""})
  void json_is_stored_as_it_is_given(String json) {
    assertThat(Message.to("t").json(json).payload(new NoCodec()))
        .returns("application/json", Payload::contentType)
        .returns(json, Payload::text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "secret",
        "{\"secret\"",
        "{'secret':1}",
        "[1,]",
        "{\"a\":1}}",
        "01",
        "NaN",
        "\"secret\n\"",
        "// secret"
      })
  void what_is_no_json_is_refused_by_place_and_never_shown(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.to("t").json(text))
        .withMessageMatching(
            "json is not JSON from line \\d+, column \\d+ on; use text\\(text\\) for plain text")
        .withNoCause();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n", "{} {}", "1 2"})
  void json_is_exactly_one_value(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.to("t").json(text))
        .withMessage("json is not one JSON value; give it exactly one");
  }

  @Test
  void json_with_half_a_surrogate_pair_or_missing_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Message.to("t").json("\"a\ud83d\""))
        .withMessage("json has half a surrogate pair, which has no UTF-8 form");
    assertThatNullPointerException()
        .isThrownBy(() -> Message.to("t").json(null))
        .withMessage("json");
  }

  @Test
  void never_shows_its_content() {
    assertThat(Message.to("t").key("k").header("token", "secret").text("secret"))
        .hasToString("Message[topic=t, key=k]");
  }

  private static final class NoCodec implements PayloadCodec {
    @Override
    public Payload encode(Object payload) {
      throw new AssertionError("bytes and text need no codec");
    }

    @Override
    public <T> T decode(Payload payload, Class<T> type) {
      throw new AssertionError("nothing is decoded here");
    }
  }
}
