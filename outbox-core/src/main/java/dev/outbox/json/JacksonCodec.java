package dev.outbox.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outbox.message.Payload;
import dev.outbox.message.PayloadCodec;
import java.io.IOException;

/**
 * Payload objects as JSON, content type {@code application/json}.
 *
 * <p>Safe for use by many threads, as long as nobody reconfigures the mapper.
 */
public final class JacksonCodec implements PayloadCodec {
  private static final String JSON = "application/json";

  private final ObjectMapper mapper;

  private JacksonCodec(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  /** A mapper with every Jackson module on the class path and dates as ISO-8601 text. */
  public static JacksonCodec create() {
    return of(
        JsonMapper.builder()
            .findAndAddModules()
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .build());
  }

  /** The application's own mapper. */
  public static JacksonCodec of(ObjectMapper mapper) {
    return new JacksonCodec(mapper);
  }

  @Override
  public Payload encode(Object payload) {
    try {
      return new Payload(JSON, mapper.writeValueAsBytes(payload));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "payload of type %s cannot be written as JSON: %s"
              .formatted(payload.getClass().getName(), e.getOriginalMessage()),
          e);
    }
  }

  @Override
  public <T> T decode(Payload payload, Class<T> type) {
    try {
      return mapper.readValue(payload.bytes(), type);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "payload (%s) cannot be read as %s".formatted(payload, type.getName()), e);
    }
  }
}
