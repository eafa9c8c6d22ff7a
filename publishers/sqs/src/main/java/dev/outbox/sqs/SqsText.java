package dev.outbox.sqs;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What SQS takes as text, and what else is written so that it does. Stateless. */
final class SqsText {
  /** A group id: letters, digits and signs of ASCII, without a space. */
  private static final Pattern GROUP = Pattern.compile("[!-~]{1,128}");

  private SqsText() {}

  /** The payload as text, when it is one that SQS takes; else null. */
  static @Nullable String body(byte[] bytes) {
    try {
      CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return text.length() > 0 && isLegal(text) ? text.toString() : null;
    } catch (CharacterCodingException notText) {
      return null;
    }
  }

  /** The characters of XML 1.0, of which others make SQS refuse the whole request. */
  static boolean isLegal(CharSequence text) {
    return text.codePoints()
        .allMatch(
            each ->
                each == '\t'
                    || each == '\n'
                    || each == '\r'
                    || (each >= ' ' && each <= 0xD7FF)
                    || (each >= 0xE000 && each <= 0xFFFD)
                    || each >= 0x10000);
  }

  /** A key as group id: as it is, or a digest of it. */
  static String group(String key) {
    return GROUP.matcher(key).matches() ? key : "sha256:" + digest(key);
  }

  private static String digest(String key) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** A JSON object of ASCII. */
  static String json(Map<String, String> texts) {
    StringBuilder json = new StringBuilder("{");
    texts.forEach(
        (name, value) -> {
          json.append(json.length() == 1 ? "" : ",");
          quote(json, name);
          json.append(':');
          quote(json, value);
        });
    return json.append('}').toString();
  }

  private static void quote(StringBuilder json, String text) {
    json.append('"');
    for (int place = 0; place < text.length(); place++) {
      char each = text.charAt(place);
      if (each == '"' || each == '\\') {
        json.append('\\').append(each);
      } else if (each >= ' ' && each < 0x7F) {
        json.append(each);
      } else {
        json.append("\\u%04x".formatted((int) each));
      }
    }
    json.append('"');
  }
}
