package dev.outbox.jackson3;

import dev.outbox.message.Payload;
import dev.outbox.message.PayloadCodec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Payload objects as JSON by Jackson 3, content type {@code application/json}.
 *
 * <pre>{@code
 * Outbox outbox = Outbox.builder(store).codec(Jackson3Codec.of(mapper)).build();
 * }</pre>
 *
 * <p>Safe for use by many threads.
 */
public final class Jackson3Codec implements PayloadCodec {
  private static final String JSON = "application/json";

  private final JsonMapper mapper;

  private Jackson3Codec(JsonMapper mapper) {
    this.mapper = mapper;
  }

  /**
   * A mapper with every Jackson module on the class path. Times and durations are ISO-8601 text and
   * keep their offset; an empty Optional is null.
   */
  public static Jackson3Codec create() {
    return of(
        JsonMapper.builder()
            .findAndAddModules()
            .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .build());
  }

  /** The application's own mapper, as Spring Boot 4 has one. */
  public static Jackson3Codec of(JsonMapper mapper) {
    return new Jackson3Codec(mapper);
  }

  @Override
  public Payload encode(Object payload) {
    try {
      return new Payload(JSON, mapper.writeValueAsBytes(payload));
    } catch (JacksonException e) {
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
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "payload (%s) cannot be read as %s".formatted(payload, type.getName()), e);
    }
  }
}
