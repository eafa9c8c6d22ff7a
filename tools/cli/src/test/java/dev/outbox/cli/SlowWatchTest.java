package dev.outbox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.console.ConsoleRequest;
import dev.outbox.console.ConsoleResponse;
import dev.outbox.console.OutboxConsole;
import dev.outbox.servers.Database;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** MySQL ends a connection of ours that nothing has used for ten seconds. */
@Tag("proof")
class SlowWatchTest {
  @Test
  void looks_may_be_far_apart() {
    try (Shop shop = new Shop(Database.MYSQL)) {
      Called called = shop.call("watch", "--every", "12s", "--times", "2");
      assertThat(called.exit()).isEqualTo(Exit.DONE);
      assertThat(called.err()).isEmpty();
    }
  }

  @Test
  void looks_of_a_console_may_be_far_apart() {
    try (Shop shop = new Shop(Database.MYSQL);
        OutboxConsole console =
            OutboxConsole.builder(shop.store)
                .interval(Duration.ofSeconds(12))
                .users(any -> "anna")
                .mount()) {
      Two looks = new Two();
      assertThatThrownBy(() -> events(console).body().writeTo(looks)).hasMessage("enough");
      assertThat(looks.seen().get(0)).contains("\"ready\":0");
      assertThat(looks.seen().get(1)).contains("\"in\":0.0,\"out\":0.0");
    }
  }

  private static ConsoleResponse events(OutboxConsole console) {
    InputStream nothing = InputStream.nullInputStream();
    return console.answer(
        new ConsoleRequest("GET", "/api/events", Map.of(), Map.of(), nothing, "here"));
  }

  /** A client that goes once it has seen two looks. */
  private static final class Two extends ByteArrayOutputStream {
    List<String> seen() {
      String told = toString(StandardCharsets.UTF_8);
      return told.lines().filter(line -> line.startsWith("data: ")).toList();
    }

    @Override
    public void flush() throws IOException {
      if (seen().size() == 2) {
        throw new IOException("enough");
      }
    }
  }
}
