package dev.outbox.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.outbox.message.Payload;
import dev.outbox.message.PayloadCodec;
import java.io.IOException;

/**
 * Payload objects as JSON, content type {@code application/json}.
 *
 * <p>Safe for use by many threads, as long as the mapper is not reconfigured.
 *
 * <pre>{@code
 * Outbox outbox = Outbox.builder(store).codec(JacksonCodec.of(new ObjectMapper())).build();
 * Order order = JacksonCodec.create().decode(envelope.payload(), Order.class);
 * }</pre>
 */
public final class JacksonCodec implements PayloadCodec {
  private static final String JSON = "application/json";

  private final ObjectMapper mapper;

  private JacksonCodec(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  /**
   * A mapper for java.time and Optional, with every Jackson module on the class path. Times and
   * durations are ISO-8601 text and keep their offset; an empty Optional is null.
   */
  public static JacksonCodec create() {
    return of(
        JsonMapper.builder()
            .addModules(new JavaTimeModule(), new Jdk8Module())
            .findAndAddModules()
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
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
