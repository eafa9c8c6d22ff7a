package dev.outbox.examples.quickstart;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A relay process as seen from outside: the broker's end of its pipes, and the switch to kill it.
 */
final class RelayProcess {
  private final Process process;
  private final BrokerDoor broker;
  private final int killAt;
  private final Thread wire;
  private volatile boolean ended;

  /**
   * Starts a relay that is killed at the moment the broker has accepted its message number {@code
   * killAt}.
   */
  static RelayProcess startAndKillAt(String url, BrokerDoor broker, int killAt) {
    return new RelayProcess(url, broker, killAt);
  }

  static RelayProcess start(String url, BrokerDoor broker) {
    return new RelayProcess(url, broker, Integer.MAX_VALUE);
  }

  private RelayProcess(String url, BrokerDoor broker, int killAt) {
    this.broker = broker;
    this.killAt = killAt;
    try {
      this.process =
          new ProcessBuilder(command(url)).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start a relay process", e);
    }
    this.wire = new Thread(this::serve, "broker-wire");
    this.wire.setDaemon(true);
    this.wire.start();
  }

  private static List<String> command(String url) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return List.of(
        java,
        "-XX:TieredStopAtLevel=1",
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
        "-cp",
        System.getProperty("java.class.path"),
        RelayProgram.class.getName(),
        url);
  }

  private void serve() {
    try (BufferedReader in =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        BufferedWriter out =
            new BufferedWriter(
                new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null && !ended; line = in.readLine()) {
        String answer = broker.receive(line);
        killInTime();
        answer(out, answer);
      }
    } catch (IOException e) {
      if (!ended) {
        throw new UncheckedIOException("the relay's pipe broke before it was ended", e);
      }
    }
  }

  private void answer(BufferedWriter out, String answer) throws IOException {
    out.write(answer);
    out.newLine();
    out.flush();
  }

  /** At the chosen message the relay dies before it hears that the broker has accepted it. */
  private void killInTime() {
    if (broker.accepted() == killAt) {
      ended = true;
      process.destroyForcibly();
    }
  }

  /** Waits until the process is dead. */
  void awaitDeath() throws InterruptedException {
    process.waitFor();
    wire.join();
  }

  /** Asks the relay to end in peace (SIGTERM), and waits. */
  void close() throws InterruptedException {
    ended = true;
    process.destroy();
    awaitDeath();
  }
}
