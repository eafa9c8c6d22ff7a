package dev.outbox.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** What the machine under the tests is and allows. Stateless. */
final class Machine {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long ROOM = 8L << 30;

  private Machine() {}

  static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  static boolean isMac() {
    return System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("mac");
  }

  static boolean isArm() {
    return System.getProperty("os.arch").equals("aarch64");
  }

  static Path temporaryFolder() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /**
   * Where servers keep their data: in memory where the build asks for that and there is room, as a
   * disk's file system takes a tenth of the tests' time to make and delete their files.
   */
  static Path dataFolder() {
    boolean wanted = Boolean.getBoolean("outbox.servers.inMemory");
    return wanted && hasRoom(MEMORY) ? MEMORY : temporaryFolder();
  }

  private static boolean hasRoom(Path folder) {
    try {
      return Files.isWritable(folder) && Files.getFileStore(folder).getUsableSpace() >= ROOM;
    } catch (IOException notReadable) {
      return false;
    }
  }

  static Path cacheFolder() {
    String cache = System.getenv("XDG_CACHE_HOME");
    Path root = cache == null ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
    Path folder = root.resolve("outbox-testkit");
    try {
      return Files.createDirectories(folder);
    } catch (IOException notWritable) {
      return temporaryFolder().resolve("outbox-testkit-cache-" + System.getProperty("user.name"));
    }
  }

  /** The words that make root run a command as another user; empty for everybody else. */
  static List<String> asNobody() {
    return isRoot() ? List.of("unshare", "-U") : List.of();
  }

  /**
   * A free port below the range that the kernel gives to clients, so that no client takes it while
   * its server restarts.
   */
  static int freePort() {
    for (int attempt = 0; attempt < 100; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(15_000, 30_000);
      if (isFree(port)) {
        return port;
      }
    }
    throw new ServerUnavailableException("found no free port between 15000 and 30000");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  /** Runs a command to its end, output and all. */
  static Finished run(ProcessBuilder command) throws IOException {
    Process process = command.redirectErrorStream(true).start();
    process.getOutputStream().close();
    try (InputStream output = process.getInputStream()) {
      String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
      return new Finished(process.onExit().join().exitValue(), text);
    }
  }

  static void deleteTree(Path root) {
    if (Files.notExists(root)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(root)) {
      paths.sorted((a, b) -> b.compareTo(a)).forEach(path -> path.toFile().delete());
    } catch (IOException | UncheckedIOException vanishing) {
      // the watchdog removes the same tree, or the next JVM's sweep will
    }
  }

  static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  /** A command's exit code and its output. */
  record Finished(int code, String output) {}
}
