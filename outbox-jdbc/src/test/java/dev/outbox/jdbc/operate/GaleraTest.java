package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outbox.Claiming;
import dev.outbox.OutboxException.Finding;
import dev.outbox.OutboxException.Finding.Severity;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.servers.DatabaseServer;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.Usage;
import dev.outbox.spi.Usage.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A real node of a Galera cluster: one MariaDB, which is its own cluster. */
class GaleraTest {
  private static final Usage RELAY =
      new Usage(Role.RELAY, Claiming.LANES, 1, Duration.ofSeconds(15));
  private static final Usage WRITER =
      new Usage(Role.WRITER, Claiming.LANES, 1, Duration.ofSeconds(15));

  @Test
  void a_node_is_refused_until_it_is_declared_that_all_use_one() throws Exception {
    DatabaseServer node = start();
    try (Sandbox sandbox = node.sandbox()) {
      Schema.builder(sandbox.dataSource()).create();
      JdbcStore store = JdbcStore.create(sandbox.dataSource());
      JdbcStore declared = JdbcStore.builder(sandbox.dataSource()).oneNode().build();

      for (Usage usage : List.of(RELAY, WRITER)) {
        assertThat(failures(store, usage)).extracting(Finding::code).containsExactly("galera");
        assertThat(failures(store, usage).get(0).text()).contains("oneNode()");
        assertThat(failures(declared, usage)).isEmpty();
      }
    } finally {
      node.stop();
    }
  }

  private static List<Finding> failures(JdbcStore store, Usage usage) {
    return store.examine(usage).stream()
        .filter(finding -> finding.severity() == Severity.FAILURE)
        .toList();
  }

  private static DatabaseServer start() throws IOException {
    Optional<Path> provider =
        Stream.of("/usr/lib/galera/libgalera_smm.so", "/usr/lib64/galera-4/libgalera_smm.so")
            .map(Path::of)
            .filter(Files::exists)
            .findFirst();
    assumeTrue(provider.isPresent(), "galera-4 is not installed (.ci/run installs it)");
    int port = freePort();
    return DatabaseServer.mariadb(
        "--wsrep-on=ON",
        "--wsrep-provider=" + provider.get(),
        "--wsrep-cluster-address=gcomm://",
        "--wsrep-node-address=127.0.0.1",
        "--wsrep-provider-options=base_port=%d;gmcast.listen_addr=tcp://127.0.0.1:%d;gcache.size=8M"
            .formatted(port, port),
        "--binlog-format=ROW",
        "--innodb-autoinc-lock-mode=2");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
