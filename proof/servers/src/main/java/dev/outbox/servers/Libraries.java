package dev.outbox.servers;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The shared libraries that server binaries want from the system, and what to do without. */
final class Libraries {
  private static final Pattern MISSING =
      Pattern.compile("error while loading shared libraries: ([^:\\s]+)");
  private static final Map<String, String> REMEDIES =
      Map.of(
          "libaio.so.1", "apt-get install libaio1 (libaio1t64 on Debian 13 and Ubuntu 24.04)",
          "libnuma.so.1", "apt-get install libnuma1",
          "libcrypt.so.1", "apt-get install libcrypt1, or dnf install libxcrypt-compat");

  private Libraries() {}

  /** The sentence for a server's dying words; empty if they are not about a library. */
  static Optional<String> remedy(String output) {
    Matcher missing = MISSING.matcher(output);
    return missing.find()
        ? Optional.of(
            "it needs "
                + missing.group(1)
                + ": "
                + REMEDIES.getOrDefault(missing.group(1), "install the package that has it"))
        : Optional.empty();
  }

  // Debian 13 and Ubuntu 24.04 renamed libaio.so.1 to libaio.so.1t64; on 64 bits it is the same.
  static void bridge(Path folder) throws IOException {
    if (find("libaio.so.1").isPresent()) {
      return;
    }
    Optional<Path> renamed = find("libaio.so.1t64");
    if (renamed.isPresent()) {
      link(folder.resolve("libaio.so.1"), renamed.get());
    }
  }

  private static void link(Path link, Path target) throws IOException {
    Files.createDirectories(link.getParent());
    try {
      Files.createSymbolicLink(link, target);
    } catch (FileAlreadyExistsException done) {
      // another JVM was first
    }
  }

  private static Optional<Path> find(String library) throws IOException {
    for (String root : List.of("/lib", "/lib64", "/usr/lib", "/usr/lib64")) {
      Optional<Path> found = find(Path.of(root), library);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<Path> find(Path root, String library) throws IOException {
    if (Files.notExists(root)) {
      return Optional.empty();
    }
    try (Stream<Path> folders = Files.list(root)) {
      return Stream.concat(Stream.of(root), folders)
          .map(folder -> folder.resolve(library))
          .filter(Files::exists)
          .findFirst();
    }
  }
}
