package dev.outbox.spring.boot.diagnostics;

import dev.outbox.spring.boot.OutboxProperties;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/** The properties of those settings that a text of the library names as Java does. */
final class NamedProperties {
  /** Words that mean something else too. */
  private static final Set<String> AMBIGUOUS = Set.of("enabled", "name");

  private NamedProperties() {}

  static List<String> in(String text) {
    List<String> found = new ArrayList<>();
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
