package dev.outbox.examples.chaos;

import dev.outbox.testkit.history.NoteKind;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A writer or relay process, seen from outside.
 *
 * <p>Used by one thread.
 */
final class Member {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final List<String> QUICK_AND_SMALL =
      List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

  private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(30);

  private final String name;
  private final Path journal;
  private final Process process;
  private final long began = System.nanoTime();
  private boolean atWork;

  private Member(String name, Path folder, Process process) {
    this.name = name;
    this.journal = folder.resolve(name + ".journal");
    this.process = process;
  }

  /** Starts {@code program} of a build under this name, which no other process of the run has. */
  static Member start(Class<?> program, String classPath, String name, Brief brief) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(QUICK_AND_SMALL);
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=info");
    command.add("-Dorg.slf4j.simpleLogger.showDateTime=true");
    command.add("-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS");
    command.addAll(List.of("-cp", classPath, program.getName()));
    ProcessBuilder builder = new ProcessBuilder(command);
    brief.with("name", name).writeTo(builder.environment());
    Path log = brief.folder().resolve(name + ".log");
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    try {
      return new Member(name, brief.folder(), builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + name, e);
    }
  }

  String name() {
    return name;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** True once a message was published or committed by it, or it has had time enough. */
  boolean isAtWork() throws IOException {
    if (!atWork && Files.exists(journal)) {
      String notes = Files.readString(journal, StandardCharsets.UTF_8);
      atWork =
          notes.contains(NoteKind.ANSWERED.name()) || notes.contains(NoteKind.COMMITTED.name());
    }
    return atWork || System.nanoTime() - began > LONGEST_WARM_UP.toNanos();
  }

  /** How it ended. */
  int exitCode() {
    return process.exitValue();
  }

  /** SIGKILL, also of a stopped one; returns when it is dead. */
  void kill() {
    process.destroyForcibly();
    process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  /** SIGTERM; returns at once. {@link Process#destroy} would also cut its lifeline. */
  void end() throws IOException, InterruptedException {
    signal("TERM");
  }

  /** SIGSTOP; returns when it stands still. */
  void stop() throws IOException, InterruptedException {
    signal("STOP");
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (isAlive() && !state().startsWith("T")) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(name + " does not stop");
      }
    }
  }

  /** SIGCONT: it goes on as if no time had passed. */
  void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  /** One line for its standard input; nothing when it is gone. */
  void tell(String word) {
    try {
      OutputStream input = process.getOutputStream();
      input.write((word + "\n").getBytes(StandardCharsets.UTF_8));
      input.flush();
    } catch (IOException gone) {
      // then it need not know
    }
  }

  private void signal(String signal) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + signal, pid()).inheritIO().start().waitFor();
  }

  private String state() throws IOException, InterruptedException {
    Process ps = new ProcessBuilder("ps", "-o", "state=", "-p", pid()).start();
    String state = new String(ps.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    ps.waitFor();
    return state.strip();
  }

  private String pid() {
    return Long.toString(process.pid());
  }
}
