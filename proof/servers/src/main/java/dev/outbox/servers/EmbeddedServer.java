package dev.outbox.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A database server of our own, from a recipe. Thread-safe. */
final class EmbeddedServer implements ServerProcess.Launch {
  static final String START_SQL = "start.sql";
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Recipe recipe;
  private final Installation installation;
  private final ServerHome serverHome;
  private final int port;
  private final ServerProcess serverProcess;

  private EmbeddedServer(Recipe recipe, Installation installation) throws IOException {
    this.recipe = recipe;
    this.installation = installation;
    this.serverHome = ServerHome.open(recipe.name());
    this.port = Machine.freePort();
    Machine.copyTree(installation.data(), data());
    Files.writeString(serverHome.path().resolve(START_SQL), recipe.startSql());
    this.serverProcess = ServerProcess.launch(recipe.name(), serverHome, this);
  }

  /** Installs the server if need be, starts it and waits until it answers. */
  static ServerOrigin start(Recipe recipe) {
    recipe.whyNot().ifPresent(EmbeddedServer::refuse);
    try {
      EmbeddedServer server = new EmbeddedServer(recipe, Installation.of(recipe));
      server.serverProcess.awaitAnswer();
      return recipe.origin(server.port, server);
    } catch (IOException e) {
      throw new ServerUnavailableException(recipe.name() + " cannot be started: " + e, e);
    }
  }

  private static void refuse(String reason) {
    throw new ServerUnavailableException(reason);
  }

  String log() {
    return serverProcess.log();
  }

  void stop() {
    serverProcess.stop();
  }

  /** The server's processes get no signal that they could answer. */
  void kill() {
    serverProcess.kill();
  }

  void start() {
    serverProcess.start();
  }

  @Override
  public String stopSignal() {
    return recipe.stopSignal();
  }

  @Override
  public List<String> words() {
    return recipe.run(installation.binaries(), data(), port);
  }

  @Override
  public ProcessBuilder command(List<String> shell) {
    return installation.command(shell);
  }

  @Override
  public void awaitAnswer(Runnable check) {
    Answer.await(recipe.origin(port, this), PATIENCE, check);
  }

  private Path data() {
    return serverHome.path().resolve("data");
  }
}
