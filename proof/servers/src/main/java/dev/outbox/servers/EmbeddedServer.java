package dev.outbox.servers;

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
 * A server process that ends with this JVM, however the JVM ends. Thread-safe.
 *
 * <p>A small shell stands between the two and reads from the JVM. End of input means that the JVM
 * is gone, killed or not: the shell kills the server and removes its folder. The word {@code keep}
 * means that the server is to die but its data to stay, for a restart.
 */
final class EmbeddedServer {
  static final String START_SQL = "start.sql";
  private static final String LOG = "server.log";
  private static final String PID = "server.pid";
  private static final Duration PATIENCE = Duration.ofSeconds(90);
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

  private final Recipe recipe;
  private final Installation installation;
  private final ServerHome serverHome;
  private final int port;
  private Process process;

  private EmbeddedServer(Recipe recipe, Installation installation) throws IOException {
    this.recipe = recipe;
    this.installation = installation;
    this.serverHome = ServerHome.open(recipe.name());
    this.port = Machine.freePort();
    Machine.copyTree(installation.data(), data());
    Files.writeString(serverHome.path().resolve(START_SQL), recipe.startSql());
    this.process = launch();
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "outbox-testkit-" + port));
  }

  /** Installs the server if need be, starts it and waits until it answers. */
  static ServerOrigin start(Recipe recipe) {
    recipe.whyNot().ifPresent(EmbeddedServer::refuse);
    try {
      EmbeddedServer server = new EmbeddedServer(recipe, Installation.of(recipe));
      server.awaitAnswer();
      return recipe.origin(server.port, server);
    } catch (IOException e) {
      throw new ServerUnavailableException(recipe.name() + " cannot be started: " + e, e);
    }
  }

  String log() {
    try {
      return Files.readString(serverHome.path().resolve(LOG), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  synchronized void stop() {
    if (!process.isAlive()) {
      return;
    }
    try {
      tellWatchdog("keep\n");
      awaitEnd();
    } catch (IOException e) {
      throw new ServerUnavailableException(recipe.name() + " cannot be stopped: " + e, e);
    }
  }

  /** The server's processes get no signal that they could answer. */
  synchronized void kill() {
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
      throw new ServerUnavailableException(recipe.name() + " cannot be killed: " + e, e);
    }
  }

  synchronized void start() {
    if (process.isAlive()) {
      return;
    }
    try {
      process = launch();
      awaitAnswer();
    } catch (IOException e) {
      throw new ServerUnavailableException(recipe.name() + " cannot be restarted: " + e, e);
    }
  }

  static String failure(Recipe recipe, String what, String output) {
    String reason = Libraries.remedy(output).orElse("it said: " + output.strip());
    return recipe.name() + " " + what + ": " + reason;
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

  private static void refuse(String reason) {
    throw new ServerUnavailableException(reason);
  }

  private Path data() {
    return serverHome.path().resolve("data");
  }

  private Process launch() throws IOException {
    List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", WATCHDOG, "outbox-testkit"));
    words.addAll(List.of(recipe.stopSignal(), serverHome.path().toString()));
    words.addAll(recipe.run(installation.binaries(), data(), port));
    return installation
        .command(words)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(serverHome.path().resolve(LOG).toFile()))
        .start();
  }

  private void awaitAnswer() {
    Answer.await(recipe.origin(port, this), PATIENCE, this::failIfDead);
  }

  private void failIfDead() {
    if (!process.isAlive()) {
      throw new ServerUnavailableException(failure(recipe, "ended while starting", log()));
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

  private synchronized void close() {
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
