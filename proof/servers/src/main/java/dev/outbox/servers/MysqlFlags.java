package dev.outbox.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What MySQL and MariaDB are both told: quick, many connections, every deadlock in the log. */
final class MysqlFlags {
  static final String CREATE_USER =
      """
      CREATE USER IF NOT EXISTS 'outbox'@'%' IDENTIFIED BY 'outbox';
      GRANT ALL ON *.* TO 'outbox'@'%' WITH GRANT OPTION;
      """;

  private MysqlFlags() {}

  static List<String> places(Path binaries, Path data) {
    List<String> flags = new ArrayList<>();
    flags.add("--basedir=" + binaries);
    flags.add("--datadir=" + data);
    if (Machine.isRoot()) {
      flags.add("--user=root");
    }
    return flags;
  }

  // No fsync: a killed server keeps its commits all the same, only a lost machine would not.
  static List<String> settings(Path data, int port) {
    return List.of(
        "--port=" + port,
        // a server that starts deletes what others keep in a folder that they share
        "--tmpdir=" + data.toAbsolutePath().getParent(),
        "--bind-address=127.0.0.1",
        "--socket=mysqld.sock",
        "--pid-file=mysqld.pid",
        "--init-file=" + data.resolveSibling(EmbeddedServer.START_SQL),
        "--skip-name-resolve",
        "--skip-log-bin",
        "--max-connections=300",
        "--character-set-server=utf8mb4",
        "--innodb-log-file-size=16M",
        "--innodb-buffer-pool-size=128M",
        "--innodb-flush-log-at-trx-commit=2",
        "--innodb-flush-method=nosync",
        "--innodb-doublewrite=OFF",
        "--innodb-print-all-deadlocks=ON");
  }
}
