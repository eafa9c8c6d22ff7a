package dev.outbox.servers;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server unpacked and initialised once per user and machine, in the cache; every JVM copies the
 * empty data folder. Safe against other JVMs that install the same.
 */
final class Installation {
  private static final String LAYOUT = "1";
  private final Path folder;

  /** A file is locked for the whole JVM, which is refused a second lock of it. */
  private static final Map<String, Object> IN_THIS_JVM = new ConcurrentHashMap<>();

  private Installation(Path folder) {
    this.folder = folder;
  }

  static Installation of(Recipe recipe) throws IOException {
    String key = recipe.name() + "-" + LAYOUT + "-" + recipe.edition();
    Installation installation = new Installation(Machine.cacheFolder().resolve(key));
    synchronized (IN_THIS_JVM.computeIfAbsent(key, any -> new Object())) {
      installation.installOnce(recipe);
    }
    Libraries.bridge(installation.libraries());
    return installation;
  }

  Path binaries() {
    return folder.resolve("binaries");
  }

  Path data() {
    return folder.resolve("data");
  }

  private Path libraries() {
    return folder.resolve("libraries");
  }

  ProcessBuilder command(List<String> words) {
    ProcessBuilder builder = new ProcessBuilder(words);
    if (Files.exists(libraries())) {
      builder.environment().put("LD_LIBRARY_PATH", libraries().toString());
    }
    return builder;
  }

  private void installOnce(Recipe recipe) throws IOException {
    Files.createDirectories(folder.getParent());
    try (FileChannel channel =
            FileChannel.open(
                folder.resolveSibling(folder.getFileName() + ".lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = waitForLock(channel)) {
      if (Files.notExists(folder) && lock.isValid()) {
        install(recipe);
      }
    }
  }

  // Not lock(): two JVMs that install two servers each would be told "resource deadlock avoided",
  // for the system takes all threads of a process for one.
  private static FileLock waitForLock(FileChannel channel) throws IOException {
    FileLock lock = channel.tryLock();
    while (lock == null) {
      Answer.pause();
      lock = channel.tryLock();
    }
    return lock;
  }

  private void install(Recipe recipe) throws IOException {
    Installation part = new Installation(folder.resolveSibling(folder.getFileName() + ".part"));
    Machine.deleteTree(part.folder);
    Files.createDirectories(part.binaries());
    recipe.unpack(part.binaries());
    Libraries.bridge(part.libraries());
    part.initialise(recipe);
    Files.move(part.folder, folder, StandardCopyOption.ATOMIC_MOVE);
  }

  private void initialise(Recipe recipe) throws IOException {
    Machine.Finished finished = Machine.run(command(recipe.initialise(binaries(), data())));
    if (finished.code() != 0) {
      throw new ServerUnavailableException(
          ServerProcess.failure(recipe.name(), "cannot be initialised", finished.output()));
    }
  }
}
