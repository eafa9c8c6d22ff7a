package dev.outbox.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A temporary folder of this JVM. The JVM holds a lock beside it for as long as it lives; a folder
 * whose lock is free belongs to a dead JVM and is removed by the next one. Thread-safe.
 */
final class ServerHome {
  private static final String LOCK = ".lock";
  private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();
  private final Path path;
  private final FileChannel channel;

  private ServerHome(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  static synchronized ServerHome open(String name) {
    Path root = Machine.dataFolder().resolve("outbox-testkit-" + System.getProperty("user.name"));
    try {
      Files.createDirectories(root);
      sweep(root);
      return create(root.resolve(name + "-" + UUID.randomUUID().toString().substring(0, 8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path path() {
    return path;
  }

  void delete() {
    Machine.deleteTree(path);
    try {
      Files.deleteIfExists(lockOf(path));
      channel.close();
    } catch (IOException left) {
      // the next JVM's sweep takes it
    }
  }

  private static ServerHome create(Path path) throws IOException {
    OURS.add(path);
    FileChannel channel = openLock(path);
    channel.lock();
    return new ServerHome(Files.createDirectory(path), channel);
  }

  private static FileChannel openLock(Path home) throws IOException {
    return FileChannel.open(lockOf(home), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private static Path lockOf(Path home) {
    return home.resolveSibling(home.getFileName() + LOCK);
  }

  private static void sweep(Path root) throws IOException {
    try (Stream<Path> files = Files.list(root)) {
      List<Path> homes = files.filter(Files::isDirectory).toList();
      homes.stream().filter(home -> !OURS.contains(home)).forEach(ServerHome::removeIfAbandoned);
    }
  }

  // Never for a folder of this JVM: closing any channel on its lock file would free the lock.
  private static void removeIfAbandoned(Path home) {
    try (FileChannel channel = openLock(home);
        FileLock lock = channel.tryLock()) {
      if (lock != null) {
        ServerProcess.killLeftover(home);
        Machine.deleteTree(home);
        Files.deleteIfExists(lockOf(home));
      }
    } catch (IOException vanishing) {
      // another process sweeps it
    }
  }
}
