package dev.outbox.servers;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server process that ends with this JVM, however the JVM ends. Thread-safe.
 *
 * <p>A small shell is between the two and reads from the JVM. End of input means that the JVM is
 * gone, killed or not: the shell kills the server and removes its folder. The word {@code keep}
 * means that the server is to die but its data to stay, for a restart.
 */
final class ServerProcess implements RunningServer {
  private static final String LOG = "server.log";
  private static final String PID = "server.pid";
  private static final String WATCHDOG =
      """
      signal=$1; home=$2; shift 2
      exec 3<&0 </dev/null
      trap '' INT HUP TERM
      "$@" 3<&- &
      server=$!
      echo $server > "$home/server.pid"
      (
        read -r word <&3
        touch "$home/stopping"
        kill -s "$signal" $server
        tries=0
        while kill -0 $server && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
        kill -s KILL $server
        rm -f "$home/stopping"
        [ "$word" = keep ] || rm -rf "$home" "$home.lock"
      ) 2>/dev/null &
      watcher=$!
      wait $server
      code=$?
      if [ -e "$home/stopping" ] || [ ! -e "$home" ]; then wait $watcher
      else kill -s KILL $watcher; fi
      exit $code
      """;

  private final String name;
  private final ServerHome serverHome;
  private final Launch launch;
  private Process process;

  /** How a server is run and known to be up. */
  interface Launch {
    /** The signal after which nothing of the server is left. */
    String stopSignal();

    /** The server's own words, as its shell runs them. */
    List<String> words();

    /** What runs the shell. */
    default ProcessBuilder command(List<String> shell) {
      return new ProcessBuilder(shell);
    }

    /** Waits until it answers; {@code check} throws when it has died. */
    void awaitAnswer(Runnable check);
  }

  private ServerProcess(String name, ServerHome serverHome, Launch launch) throws IOException {
    this.name = name;
    this.serverHome = serverHome;
    this.launch = launch;
    this.process = launched();
    Runtime.getRuntime()
        .addShutdownHook(new Thread(this::close, "outbox-testkit-" + serverHome.path()));
  }

  /** Starts the server; who needs it waits for its answer. */
  static ServerProcess launch(String name, ServerHome serverHome, Launch launch)
      throws IOException {
    return new ServerProcess(name, serverHome, launch);
  }

  @Override
  public String log() {
    try {
      return Files.readString(serverHome.path().resolve(LOG), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void awaitAnswer() {
    launch.awaitAnswer(this::failIfDead);
  }

  synchronized void stop() {
    if (!process.isAlive()) {
      return;
    }
    try {
      tellWatchdog("keep\n");
      awaitEnd();
    } catch (IOException e) {
      throw new ServerUnavailableException(name + " cannot be stopped: " + e, e);
    }
  }

  @Override
  public synchronized void kill() {
    if (!process.isAlive()) {
      return;
    }
    try {
      long pid = Long.parseLong(Files.readString(serverHome.path().resolve(PID)).strip());
      ProcessHandle server = ProcessHandle.of(pid).orElseThrow();
      List<ProcessHandle> all = new ArrayList<>(server.descendants().toList());
      all.add(0, server);
      all.forEach(ProcessHandle::destroyForcibly);
      awaitEnd();
    } catch (IOException e) {
      throw new ServerUnavailableException(name + " cannot be killed: " + e, e);
    }
  }

  @Override
  public synchronized void start() {
    if (process.isAlive()) {
      return;
    }
    try {
      process = launched();
      awaitAnswer();
    } catch (IOException e) {
      throw new ServerUnavailableException(name + " cannot be restarted: " + e, e);
    }
  }

  @Override
  public Machine.Finished run(List<String> words) throws IOException {
    return Machine.run(launch.command(words));
  }

  /** Kills the server of an abandoned folder, if its watchdog was killed too. */
  static void killLeftover(Path home) throws IOException {
    Path pid = home.resolve(PID);
    if (Files.exists(pid)) {
      ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
          .filter(left -> left.info().commandLine().orElse("").contains(home.toString()))
          .ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  /** What it said, and what to do about it. */
  static String failure(String name, String what, String output) {
    String reason = Libraries.remedy(output).orElse("it said: " + output.strip());
    return name + " " + what + ": " + reason;
  }

  private Process launched() throws IOException {
    List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", WATCHDOG, "outbox-testkit"));
    words.addAll(List.of(launch.stopSignal(), serverHome.path().toString()));
    words.addAll(launch.words());
    return launch
        .command(words)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(serverHome.path().resolve(LOG).toFile()))
        .start();
  }

  private void failIfDead() {
    if (!process.isAlive()) {
      throw new ServerUnavailableException(failure(name, "ended while starting", log()));
    }
  }

  private void tellWatchdog(String word) throws IOException {
    OutputStream input = process.getOutputStream();
    input.write(word.getBytes(StandardCharsets.US_ASCII));
    input.flush();
  }

  private void awaitEnd() {
    process.onExit().orTimeout(15, TimeUnit.SECONDS).join();
  }

  @Override
  public synchronized void close() {
    try {
      process.getOutputStream().close();
      awaitEnd();
    } catch (IOException alreadyGone) {
      // nothing left to stop
    } finally {
      serverHome.delete();
    }
  }
}
