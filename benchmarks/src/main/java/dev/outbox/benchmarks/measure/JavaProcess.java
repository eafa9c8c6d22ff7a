package dev.outbox.benchmarks.measure;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts another JVM with the class path of this one. What it writes to its error stream is shown.
 */
public final class JavaProcess {
  private JavaProcess() {}

  /** Ready to be started: {@code main} with these arguments, in a heap of that size. */
  public static ProcessBuilder of(String heap, Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx" + heap, "-XX:+ExitOnOutOfMemoryError"));
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
  }
}
