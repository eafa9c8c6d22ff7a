package dev.outbox.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a producer, with what was left out set for an outbox. What would weaken
 * durability or order, or outlast a flight, is refused by name.
 *
 * <p>Immutable.
 */
record ProducerSettings(Map<String, Object> config, Duration deliveryTimeout, Duration maxBlock) {
  private static final Set<String> ALL = Set.of("all", "-1");

  /**
   * A send takes half of a flight's time at most, so that there is a half in which it may begin.
   */
  private static final int DELIVERY_PART = 2;

  /**
   * What comes during a request shares the next one: fewer requests, and more messages a second.
   */
  private static final int ONE_AT_A_TIME = 1;

  private static final int REQUEST_PART = 3;
  private static final int BLOCK_PART = 10;

  ProducerSettings {
    config = Map.copyOf(config);
  }

  /**
   * @throws IllegalArgumentException when a setting is not fit, with its name, value and remedy
   */
  static ProducerSettings of(Map<String, ?> given, Duration publishDeadline) {
    Map<String, Object> config = new HashMap<>();
    given.forEach(
        (name, value) -> {
          if (value != null) {
            config.put(name, value);
          }
        });
    requireDurable(config);
    requireOrder(config);
    config.putIfAbsent(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, ONE_AT_A_TIME);
    return timed(config, publishDeadline.toMillis());
  }

  private static void requireDurable(Map<String, Object> config) {
    String acks = text(config, ProducerConfig.ACKS_CONFIG, "all");
    if (!ALL.contains(acks.toLowerCase(Locale.ROOT))) {
      throw refused(
          ProducerConfig.ACKS_CONFIG,
          acks,
          "delivered must mean that every in-sync replica has it; leave it out, or set all");
    }
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    requireTrue(
        config,
        ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
        "without it a retry of the client reorders or repeats; leave it out, or set true");
    if (config.containsKey(ProducerConfig.TRANSACTIONAL_ID_CONFIG)) {
      throw refused(
          ProducerConfig.TRANSACTIONAL_ID_CONFIG,
          text(config, ProducerConfig.TRANSACTIONAL_ID_CONFIG, ""),
          "this publisher begins no transactions, and every send would fail; leave it out");
    }
  }

  /** One key goes to one partition. */
  private static void requireOrder(Map<String, Object> config) {
    String ignoring = ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG;
    if (text(config, ignoring, "false").equalsIgnoreCase("true")) {
      throw refused(
          ignoring,
          "true",
          "messages of one key would lose their order; leave it out, or set false");
    }
    String partitioner = ProducerConfig.PARTITIONER_CLASS_CONFIG;
    String name = text(config, partitioner, "");
    if (name.endsWith("RoundRobinPartitioner")) {
      throw refused(partitioner, name, "messages of one key would lose their order; leave it out");
    }
  }

  /** Sets the time-outs that were left out, and refuses those that do not fit. */
  private static ProducerSettings timed(Map<String, Object> config, long deadline) {
    long linger = millis(config, ProducerConfig.LINGER_MS_CONFIG, 0);
    long delivery =
        millis(config, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, deadline / DELIVERY_PART);
    requireBelow(config, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, delivery, deadline);
    long request =
        millis(config, ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, delivery / REQUEST_PART);
    if (linger + request > delivery) {
      throw refused(
          ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
          String.valueOf(delivery),
          "the minimum is linger.ms %d + request.timeout.ms %d; raise it, or lower those"
              .formatted(linger, request));
    }
    long block = millis(config, ProducerConfig.MAX_BLOCK_MS_CONFIG, deadline / BLOCK_PART);
    requireBelow(config, ProducerConfig.MAX_BLOCK_MS_CONFIG, block, deadline - delivery);
    return new ProducerSettings(config, Duration.ofMillis(delivery), Duration.ofMillis(block));
  }

  private static void requireBelow(
      Map<String, Object> config, String name, long value, long limit) {
    if (value >= limit) {
      throw refused(
          name,
          String.valueOf(value),
          "it must be below %d ms, so that what was reported as failed does not arrive later; lower it, or raise publishDeadline here and in the relay"
              .formatted(limit));
    }
    config.put(name, (int) value);
  }

  private static long millis(Map<String, Object> config, String name, long otherwise) {
    Object value = config.computeIfAbsent(name, absent -> (int) otherwise);
    try {
      return Long.parseLong(value.toString().strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s is '%s', it must be a number of milliseconds".formatted(name, value), e);
    }
  }

  private static void requireTrue(Map<String, Object> config, String name, String remedy) {
    String value = text(config, name, "true");
    if (!value.equalsIgnoreCase("true")) {
      throw refused(name, value, remedy);
    }
    config.put(name, true);
  }

  private static String text(Map<String, Object> config, String name, String otherwise) {
    @Nullable Object value = config.get(name);
    if (value == null) {
      return otherwise;
    }
    String text = value instanceof Class<?> type ? type.getName() : value.toString();
    return text.strip();
  }

  private static IllegalArgumentException refused(String name, String value, String remedy) {
    return new IllegalArgumentException("%s is %s, but %s".formatted(name, value, remedy));
  }

  /** How long a send may take, with the wait for metadata or room before it. */
  Duration longestSend() {
    return deliveryTimeout.plus(maxBlock);
  }

  /** The most bytes of a request, which bounds a record. */
  static int maxRequestSize(Map<String, ?> config) {
    Object value = config.get(ProducerConfig.MAX_REQUEST_SIZE_CONFIG);
    return value == null
        ? RecordLimits.DEFAULT_REQUEST
        : Integer.parseInt(value.toString().strip());
  }
}
