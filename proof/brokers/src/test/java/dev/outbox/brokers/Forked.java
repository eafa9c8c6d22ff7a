package dev.outbox.brokers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs in processes of their own, which end with this one. Stateless. */
public final class Forked {
  private Forked() {}

  /** Starts {@code program}; what it prints is in {@code log}. */
  public static Process start(Class<?> program, Path log, String... arguments) throws IOException {
    List<String> words = new ArrayList<>();
    words.add(ProcessHandle.current().info().command().orElse("java"));
    words.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    words.add(System.getProperty("java.class.path"));
    words.add(program.getName());
    words.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()))
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return process;
  }
}
