package dev.outbox.debezium;

import dev.outbox.kafka.KafkaPublisher;
import dev.outbox.publish.CloudEvents;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** The settings of the transformation. Immutable. */
record RowSettings(
    String table, @Nullable String unreadableTopic, int largest, KafkaPublisher.Builder mapping) {
  private static final String TABLE = "table";
  private static final String UNREADABLE = "unreadable.topic";
  private static final String EVENTS = "cloudevents";
  private static final String SOURCE = "cloudevents.source";
  private static final String SIZE = "max.request.size";

  static final ConfigDef DEFINITION =
      new ConfigDef()
          .define(
              TABLE,
              ConfigDef.Type.STRING,
              "outbox",
              ConfigDef.Importance.MEDIUM,
              "The table of ready messages, without its schema: another one with a table prefix.")
          .define(
              UNREADABLE,
              ConfigDef.Type.STRING,
              null,
              ConfigDef.Importance.HIGH,
              "The topic for rows that are no messages. Without it such a row stops the connector.")
          .define(
              EVENTS,
              ConfigDef.Type.STRING,
              "none",
              ConfigDef.CaseInsensitiveValidString.in("none", "binary", "structured"),
              ConfigDef.Importance.LOW,
              "CloudEvents 1.0: 'binary' puts the attributes into headers, 'structured' all into one JSON text.")
          .define(
              SOURCE,
              ConfigDef.Type.STRING,
              null,
              ConfigDef.Importance.LOW,
              "The source of the CloudEvents, a URI such as https://shop.example/orders.")
          .define(
              SIZE,
              ConfigDef.Type.INT,
              1024 * 1024,
              ConfigDef.Range.atLeast(1),
              ConfigDef.Importance.LOW,
              "The setting of that name of the producer behind the connector: a larger record is unreadable.");

  static RowSettings of(Map<String, ?> given) {
    AbstractConfig config = new AbstractConfig(DEFINITION, given, false);
    KafkaPublisher.Builder mapping =
        KafkaPublisher.builder(Map.of(SIZE, config.getInt(SIZE).toString()));
    String mode = config.getString(EVENTS).toLowerCase(Locale.ROOT);
    if (!mode.equals("none")) {
      URI source = source(config.getString(SOURCE));
      mapping.cloudEvents(
          mode.equals("binary") ? CloudEvents.binary(source) : CloudEvents.structured(source));
    }
    return new RowSettings(
        table(config.getString(TABLE)), config.getString(UNREADABLE), config.getInt(SIZE), mapping);
  }

  /** With a schema it would be no table's name, and each row would pass as it is. */
  private static String table(String table) {
    if (table.contains(".")) {
      throw new ConfigException(
          TABLE, table, "leave its schema out, which table.include.list of the connector names");
    }
    return table;
  }

  private static URI source(@Nullable String source) {
    if (source == null || source.isBlank()) {
      throw new ConfigException(
          SOURCE, source, "CloudEvents need a source; name your service with a URI");
    }
    try {
      return URI.create(source);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(SOURCE, source, "it must be a URI: " + e.getMessage());
    }
  }

  /** Debezium names a topic by prefix, schema and table, which Oracle has in upper case. */
  boolean isTopicOfTable(@Nullable String topic) {
    String end = "." + table;
    int start = topic == null ? -1 : topic.length() - end.length();
    return topic != null && topic.regionMatches(true, start, end, 0, end.length());
  }
}
