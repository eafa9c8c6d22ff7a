package dev.outbox.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A recipe with the programs of this system in place of those of an artifact, as Debian installs
 * them: other versions than the artifacts have. Immutable.
 */
final class InstalledRecipe implements Recipe {
  private static final Path POSTGRES = Path.of("/usr/lib/postgresql");
  private final Recipe like;
  private final Map<String, Path> links;

  private InstalledRecipe(Recipe like, Map<String, Path> links) {
    this.like = like;
    this.links = links;
  }

  /** The recipe, or with {@code -Doutbox.servers=installed} that of the newest PostgreSQL here. */
  static Recipe postgres(Recipe embedded) {
    return wanted() ? new InstalledRecipe(embedded, Map.of("bin", newestPostgres())) : embedded;
  }

  /** The recipe, or with {@code -Doutbox.servers=installed} that of the MariaDB here. */
  static Recipe mariadb(Recipe embedded) {
    Map<String, Path> links =
        Map.of(
            "bin/mariadbd", Path.of("/usr/sbin/mariadbd"),
            "bin/my_print_defaults", Path.of("/usr/bin/my_print_defaults"),
            "bin/resolveip", Path.of("/usr/bin/resolveip"),
            "sbin/mariadbd", Path.of("/usr/sbin/mariadbd"),
            "scripts/mariadb-install-db", Path.of("/usr/bin/mariadb-install-db"),
            "share/mysql", Path.of("/usr/share/mysql"));
    return wanted() ? new InstalledRecipe(embedded, links) : embedded;
  }

  private static boolean wanted() {
    return "installed".equals(System.getProperty("outbox.servers"));
  }

  private static Path newestPostgres() {
    try (Stream<Path> versions = Files.list(POSTGRES)) {
      return versions
          .filter(version -> version.getFileName().toString().matches("\\d+"))
          .max(Comparator.comparingInt(version -> Integer.parseInt("" + version.getFileName())))
          .orElse(POSTGRES)
          .resolve("bin");
    } catch (IOException none) {
      return POSTGRES.resolve("bin");
    }
  }

  @Override
  public String name() {
    return like.name() + "-installed";
  }

  @Override
  public String resource() {
    return like.resource();
  }

  @Override
  public String artifact() {
    return like.artifact();
  }

  /** The sizes of the programs, which differ after an update of the system. */
  @Override
  public String edition() throws IOException {
    long sizes = 0;
    for (Path program : links.values()) {
      sizes = 31 * sizes + Files.size(program) + Files.getLastModifiedTime(program).toMillis();
    }
    return Long.toHexString(sizes);
  }

  @Override
  public Optional<String> whyNot() {
    return links.values().stream()
        .filter(Files::notExists)
        .sorted()
        .findFirst()
        .map(missing -> "no " + name() + ": " + missing + " is not here");
  }

  @Override
  public void unpack(Path binaries) throws IOException {
    for (Map.Entry<String, Path> link : links.entrySet()) {
      Path place = binaries.resolve(link.getKey());
      Files.createDirectories(place.getParent());
      Files.createSymbolicLink(place, link.getValue());
    }
  }

  @Override
  public List<String> initialise(Path binaries, Path data) {
    return like.initialise(binaries, data);
  }

  @Override
  public List<String> run(Path binaries, Path data, int port) {
    return like.run(binaries, data, port);
  }

  @Override
  public String startSql() {
    return like.startSql();
  }

  @Override
  public String stopSignal() {
    return like.stopSignal();
  }

  @Override
  public ServerOrigin origin(int port, EmbeddedServer process) {
    ServerOrigin origin = like.origin(port, process);
    return new ServerOrigin(
        origin.url(), origin.user(), origin.password(), "installed", origin.process());
  }
}
