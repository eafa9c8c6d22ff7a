package dev.outbox.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Builds projects as their users do: by Maven, with no parent and no module of this build. */
final class ShopJar {
  private static final CompletableFuture<Void> LIBRARIES =
      CompletableFuture.runAsync(ShopJar::install);

  private ShopJar() {}

  /**
   * The jar that {@code mvn package} makes of a copy of {@code project}, whose pom is changed
   * first.
   */
  static Path build(Path project, Path copy, UnaryOperator<String> pom, String... goals)
      throws IOException, InterruptedException {
    copy(project, copy);
    Path changed = copy.resolve("pom.xml");
    Files.writeString(changed, pom.apply(Files.readString(changed)));
    LIBRARIES.join();
    maven(
        copy, copy.resolve("build.log"), Stream.concat(Stream.of("-DskipTests"), Stream.of(goals)));
    try (Stream<Path> jars = Files.list(copy.resolve("target"))) {
      return jars.filter(file -> file.toString().endsWith(".jar")).findFirst().orElseThrow();
    }
  }

  /** The build that runs this verifies, and need not have installed anything. */
  private static void install() {
    try {
      Path log = Files.createTempFile(Path.of("target"), "install-", ".log");
      maven(Path.of("../.."), log, Stream.of("install", "-Dinstall-only"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the libraries were installed", e);
    }
  }

  private static void maven(Path project, Path log, Stream<String> more)
      throws IOException, InterruptedException {
    String repository = "-Dmaven.repo.local=" + System.getProperty("outbox.repository");
    List<String> words =
        Stream.concat(Stream.of("mvn", "-B", "-q", "-ntp", repository), more).toList();
    Process maven =
        new ProcessBuilder(words)
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    if (!maven.waitFor(5, TimeUnit.MINUTES) || maven.exitValue() != 0) {
      throw new IllegalStateException(project + ": " + Files.readString(log));
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(each -> !each.startsWith(from.resolve("target"))).toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
  }
}
