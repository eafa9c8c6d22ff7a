package dev.outbox.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outbox.spring.boot.OutboxProperties;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

/** What IDEs are told of the properties. */
class MetadataTest {
  private static final String FILE = "META-INF/spring-configuration-metadata.json";

  @Test
  void each_property_has_its_type_and_says_what_it_is_for() throws IOException {
    Map<String, JsonNode> properties = properties();

    assertThat(type(properties, "outbox.relay.lease")).isEqualTo(Duration.class.getName());
    assertThat(type(properties, "outbox.message.max-payload")).isEqualTo(DataSize.class.getName());
    assertThat(type(properties, "outbox.schema.initialize"))
        .isEqualTo(OutboxProperties.Initialize.class.getName());
    assertThat(properties)
        .allSatisfy(
            (name, property) -> assertThat(property.path("description").asText()).isNotBlank());
    assertThat(properties.get("outbox.relay.enabled").path("defaultValue").asBoolean()).isTrue();
  }

  private static String type(Map<String, JsonNode> properties, String name) {
    assertThat(properties).containsKey(name);
    return properties.get(name).path("type").asText();
  }

  private static Map<String, JsonNode> properties() throws IOException {
    Map<String, JsonNode> properties = new HashMap<>();
    String own =
        OutboxProperties.class.getProtectionDomain().getCodeSource().getLocation().toString();
    ClassLoader loader = MetadataTest.class.getClassLoader();
    for (URL file : Collections.list(loader.getResources(FILE))) {
      if (file.toString().contains(own)) {
        try (InputStream metadata = file.openStream()) {
          new ObjectMapper()
              .readTree(metadata)
              .path("properties")
              .forEach(property -> properties.put(property.path("name").asText(), property));
        }
      }
    }
    return properties;
  }
}
