package dev.outbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.servers.Database;
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
}
