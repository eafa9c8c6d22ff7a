package dev.outbox.servers;

import java.time.Duration;
import java.util.Optional;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** Servers in containers, through Testcontainers, which also removes them. Stateless. */
final class Containers {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private Containers() {}

  /** Why there are no containers here; empty if there may be. Asked once per JVM. */
  static Optional<String> whyNot() {
    return Asked.WHY_NOT;
  }

  static ServerOrigin start(Database database) {
    return switch (database) {
      case POSTGRES ->
          start(
              new Image("postgres:18", 5432, "POSTGRES_PASSWORD", "outbox"),
              "jdbc:postgresql://%s:%d/postgres",
              "postgres",
              "postgres -c max_connections=300 -c fsync=off -c deadlock_timeout=250ms");
      case MYSQL ->
          start(
              new Image("mysql:8.4", 3306, "MYSQL_ROOT_PASSWORD", "outbox"),
              "jdbc:mysql://%s:%d/?sslMode=DISABLED&allowPublicKeyRetrieval=true",
              "root",
              "--max-connections=300 --innodb-flush-log-at-trx-commit=2 --skip-log-bin");
      case MARIADB ->
          start(
              new Image("mariadb:11.4", 3306, "MARIADB_ROOT_PASSWORD", "outbox"),
              "jdbc:mariadb://%s:%d/",
              "root",
              "--max-connections=300 --innodb-flush-log-at-trx-commit=2");
      case ORACLE ->
          start(
              new Image("gvenzl/oracle-free:23-slim", 1521, "ORACLE_PASSWORD", "outbox"),
              "jdbc:oracle:thin:@//%s:%d/FREEPDB1",
              "system",
              "");
      case H2, H2_FILE, H2_SERVER, H2_ORACLE ->
          throw new IllegalArgumentException(database + " needs none");
    };
  }

  private static ServerOrigin start(Image image, String url, String user, String command) {
    GenericContainer<?> container =
        new GenericContainer<>(DockerImageName.parse(image.name()))
            .withExposedPorts(image.port())
            .withEnv(image.passwordVariable(), image.password());
    if (!command.isEmpty()) {
      container.withCommand(command);
    }
    container.start();
    ServerOrigin serverOrigin =
        new ServerOrigin(
            url.formatted(container.getHost(), container.getMappedPort(image.port())),
            user,
            image.password(),
            "Testcontainers " + image.name(),
            Optional.empty());
    Answer.await(serverOrigin, PATIENCE, () -> {});
    return serverOrigin;
  }

  private static Optional<String> ask() {
    try {
      Class.forName("org.testcontainers.containers.GenericContainer", false, loader());
    } catch (ClassNotFoundException e) {
      return Optional.of("org.testcontainers:testcontainers is not on the class path");
    }
    return DockerEngine.whyNot();
  }

  private static ClassLoader loader() {
    return Containers.class.getClassLoader();
  }

  private static final class Asked {
    static final Optional<String> WHY_NOT = ask();
  }

  /** A container image and how to set its administrator's password. Immutable. */
  private record Image(String name, int port, String passwordVariable, String password) {}
}
