package dev.outbox.upgrade;

import dev.outbox.servers.Sandbox;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A single source file that runs on the jars of a previous build.
 *
 * <p>Used by one thread.
 */
final class OldProgram implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 60;

  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Thread reader = new Thread(this::read, "old-program");

  private OldProgram(Process process) {
    this.process = process;
    reader.start();
  }

  static OldProgram start(PreviousBuild build, Path source, String what, Sandbox sandbox)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    command.addAll(List.of("-cp", build.classPathText(), source.toString(), what));
    command.addAll(List.of(sandbox.url(), sandbox.user(), sandbox.password()));
    return new OldProgram(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  private void read() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.add(line);
      }
    } catch (IOException killed) {
      // what it had written is read
    }
  }

  void tell(String line) throws IOException {
    OutputStream in = process.getOutputStream();
    in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  /** Its next line. */
  String next() throws InterruptedException {
    String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (line == null) {
      throw new AssertionError("it says nothing for " + PATIENCE_SECONDS + " s");
    }
    return line;
  }

  /** Waits until it has ended of itself. */
  void await() throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new AssertionError("it does not end well");
    }
  }

  /** SIGKILL; returns all that it wrote and that was not read yet. */
  List<String> kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
    reader.join();
    List<String> rest = new ArrayList<>();
    lines.drainTo(rest);
    return rest;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
