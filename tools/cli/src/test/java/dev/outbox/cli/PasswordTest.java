package dev.outbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.servers.Database;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A password comes from a file, the environment or a person. */
class PasswordTest {
  private Shop shop;
  private String url;

  @BeforeEach
  void open() throws Exception {
    shop = new Shop(Database.H2);
    url = shop.sandbox.url();
    try (var connection = shop.sandbox.open();
        var statement = connection.createStatement()) {
      statement.execute("CREATE USER anna PASSWORD 'right' ADMIN");
    }
  }

  @AfterEach
  void close() {
    shop.close();
  }

  private Map<String, String> named() {
    return Map.of("OUTBOX_URL", url, "OUTBOX_USER", "anna");
  }

  @Test
  void from_a_file(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("password"), "right\n");
    assertThat(Called.by(named(), "topics", "--password-file", file.toString()).exit()).isZero();
    Files.writeString(file, "wrong");
    Called wrong = Called.by(named(), "topics", "--password-file", file.toString());
    assertThat(wrong.exit()).isEqualTo(Exit.DATABASE);
    assertThat(wrong.err()).contains("no connection to").doesNotContain("wrong\n");
  }

  @Test
  void from_the_environment_or_a_person() {
    assertThat(
            Called.by(
                    Map.of("OUTBOX_URL", url, "OUTBOX_PASSWORD", "right"),
                    "topics",
                    "--user",
                    "anna")
                .exit())
        .isZero();
    assertThat(Called.with("right", named(), "topics").exit()).isZero();
    assertThat(Called.with("wrong", named(), "topics").exit()).isEqualTo(Exit.DATABASE);
    assertThat(Called.by(named(), "topics").exit()).as("nobody is there").isEqualTo(Exit.DATABASE);
  }
}
