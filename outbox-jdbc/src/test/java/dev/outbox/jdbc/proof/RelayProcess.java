package dev.outbox.jdbc.proof;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A {@link RelayProgram} in its own JVM, seen from outside.
 *
 * <p>Used by one thread.
 */
final class RelayProcess {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final List<String> QUICK_AND_SMALL =
      List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

  private final RelayTerms terms;
  private final Path log;
  private final Process process;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  private RelayProcess(RelayTerms terms, Path log, Process process) {
    this.terms = terms;
    this.log = log;
    this.process = process;
    Thread reader = new Thread(this::readAnswers, "answers-of-" + terms.label());
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts the process; its relay joins when told to. The log goes to a file in {@code folder}. */
  static RelayProcess launch(RelayTerms terms, Path folder) {
    Path log = folder.resolve(terms.label() + ".log");
    ProcessBuilder builder = new ProcessBuilder(Path.of(javaHome(), "bin", "java").toString());
    builder.command().addAll(QUICK_AND_SMALL);
    builder.command().add("-Dorg.slf4j.simpleLogger.showDateTime=true");
    builder.command().add("-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS");
    builder.command().addAll(List.of("-cp", System.getProperty("java.class.path")));
    builder.command().add(RelayProgram.class.getName());
    builder.command().addAll(terms.arguments());
    builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    try {
      return new RelayProcess(terms, log, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + terms.label(), e);
    }
  }

  private static String javaHome() {
    return System.getProperty("java.home");
  }

  private void readAnswers() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        answers.add(line);
      }
    } catch (IOException killed) {
      // nobody waits for its answers any more
    }
  }

  String label() {
    return terms.label();
  }

  /** The relay joins; returns at once, see {@link #awaitAnswer}. */
  void askToJoin() {
    tell("join");
  }

  /** The relay joins and has its name in the tables or in its first claim. */
  void join() {
    askToJoin();
    awaitAnswer("joined");
  }

  /** The relay closes gracefully; returns how long it says that this took. */
  Duration leave() {
    tell("leave");
    return Duration.ofMillis(Long.parseLong(awaitAnswer("left").split(" ", 2)[1]));
  }

  void tell(String line) {
    try {
      OutputStream in = process.getOutputStream();
      in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      in.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(label() + " does not listen", e);
    }
  }

  /** The answer that begins with {@code word}. */
  String awaitAnswer(String word) {
    try {
      String answer = answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (answer == null || !answer.startsWith(word)) {
        throw new AssertionError(
            label() + " answers " + answer + " instead of " + word + "; it wrote " + log());
      }
      return answer;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for " + label(), e);
    }
  }

  /** SIGSTOP: it does nothing any more, and its sockets stay open. */
  void stop() {
    signal("STOP");
  }

  /** SIGCONT: it goes on as if no time had passed. */
  void resume() {
    signal("CONT");
  }

  /** SIGKILL, also of a stopped one; returns when it is dead. */
  void kill() {
    process.destroyForcibly();
    process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  private void signal(String name) {
    try {
      Process kill =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
      if (kill.waitFor() != 0) {
        throw new AssertionError("cannot send SIG" + name + " to " + label());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while sending SIG" + name, e);
    }
  }

  /** What it has logged so far. */
  List<String> log() {
    try {
      return Files.readAllLines(log, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What our own loggers have logged so far at WARN or ERROR, one line for each time. */
  List<String> alarms() {
    return log().stream()
        .filter(line -> line.matches(".* (WARN|ERROR) dev\\.outbox\\..*"))
        .toList();
  }
}
