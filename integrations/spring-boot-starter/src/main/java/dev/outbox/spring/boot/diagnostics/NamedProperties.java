package dev.outbox.spring.boot.diagnostics;

import dev.outbox.spring.boot.OutboxProperties;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/** The properties of those settings that a text of the library names, mostly as Java does. */
final class NamedProperties {
  /** Words that mean something else too. */
  private static final Set<String> AMBIGUOUS = Set.of("enabled", "name");

  /** How texts begin that have other words for a setting, or ambiguous ones. */
  private static final Map<String, String> BEGINNINGS =
      Map.of(
          "name is ", "outbox.relay.name",
          "schema is ", "outbox.schema.name",
          "table prefix is ", "outbox.schema.table-prefix",
          "interval is ", "outbox.metrics.interval",
          "topics is ", "outbox.metrics.topics",
          "wakeup needs PostgreSQL", "outbox.postgres-wakeup");

  private static final Pattern PROPERTY =
      Pattern.compile("(?<![\\w.])outbox(\\.[a-z][a-z-]*)+(?!\\w)");

  private NamedProperties() {}

  static List<String> in(String text) {
    List<String> found =
        new ArrayList<>(PROPERTY.matcher(text).results().map(MatchResult::group).toList());
    BEGINNINGS.forEach(
        (beginning, property) -> {
          if (text.startsWith(beginning)) {
            found.add(property);
          }
        });
    add(found, text, "outbox.relay.", OutboxProperties.Relay.class);
    add(found, text, "outbox.schema.", OutboxProperties.Schema.class);
    add(found, text, "outbox.message.", OutboxProperties.Message.class);
    return found;
  }

  private static void add(
      List<String> found, String text, String prefix, Class<? extends Record> settings) {
    for (RecordComponent setting : settings.getRecordComponents()) {
      String name = setting.getName();
      if (!AMBIGUOUS.contains(name) && Pattern.compile("\\b" + name + "\\b").matcher(text).find()) {
        found.add(prefix + DataObjectPropertyName.toDashedForm(name));
      }
    }
  }
}
