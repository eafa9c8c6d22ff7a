package dev.outbox.internal.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The rule for texts that are handed in as JSON. A refusal says where the text goes wrong and never
 * shows it.
 */
public final class JsonSyntax {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonSyntax() {}

  /**
   * The text in UTF-8.
   *
   * @throws IllegalArgumentException when it is not one JSON value, is nested deeper or has a
   *     longer number than Jackson reads, or has half a surrogate pair
   */
  public static byte[] utf8(String argument, String value) {
    byte[] bytes = StorableText.utf8(argument, value);
    if (values(argument, value) != 1) {
      throw new IllegalArgumentException(argument + " is not one JSON value; give it exactly one");
    }
    return bytes;
  }

  private static int values(String argument, String value) {
    try {
      return parsed(value);
    } catch (StreamConstraintsException e) { // it has no location, and may be good JSON
      throw new IllegalArgumentException(
          "%s is more than is read of JSON: %s; give it to bytes(bytes, \"application/json\")"
              .formatted(argument, e.getOriginalMessage()));
    } catch (JsonProcessingException e) {
      JsonLocation where = e.getLocation();
      throw new IllegalArgumentException(
          "%s is not JSON from line %d, column %d on; use text(text) for plain text"
              .formatted(argument, where.getLineNr(), where.getColumnNr()));
    }
  }

  /** How many JSON values are in the text; 0 when it is not JSON. */
  static int values(String text) {
    try {
      return parsed(text);
    } catch (JsonProcessingException e) {
      return 0;
    }
  }

  private static int parsed(String text) throws JsonProcessingException {
    int values = 0;
    try (JsonParser parser = JSON.createParser(text)) {
      while (parser.nextToken() != null) {
        parser.skipChildren();
        values++;
      }
    } catch (JsonProcessingException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return values;
  }
}
