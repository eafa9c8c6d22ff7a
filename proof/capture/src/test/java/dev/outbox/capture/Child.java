package dev.outbox.capture;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A main class of this module in a JVM of its own. */
record Child(Process process, Path log) {
  static Child start(Class<?> main, Path log, String... arguments) throws IOException {
    return start(main, System.getProperty("java.class.path"), log, arguments);
  }

  static Child start(Class<?> main, String classPath, Path log, String... arguments)
      throws IOException {
    List<String> words = new ArrayList<>();
    words.add(ProcessHandle.current().info().command().orElse("java"));
    words.addAll(List.of("-Xmx384m", "-XX:+UseSerialGC", "-cp", classPath, main.getName()));
    words.addAll(List.of(arguments));
    File output = log.toFile();
    return new Child(
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output))
            .start(),
        log);
  }

  /** By SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** In its own order: its input ends. */
  void stop() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("it does not stop, see " + log);
    }
  }
}
