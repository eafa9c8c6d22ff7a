package dev.outbox.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.testcontainers.containers.Container;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/**
 * A server in a container, which Testcontainers removes when this JVM has ended. Its ports are
 * those of the loopback interface here, and its data are its own until it is removed. Thread-safe.
 */
final class ServerContainer implements RunningServer {
  private final GenericContainer<?> container;
  private final ServerHome serverHome;
  private final ServerProcess.Launch launch;

  private ServerContainer(
      GenericContainer<?> container, ServerHome serverHome, ServerProcess.Launch launch) {
    this.container = container;
    this.serverHome = serverHome;
    this.launch = launch;
  }

  /** Starts one with the files of {@code serverHome} in its {@code folder}. */
  static RunningServer launch(
      BrokerPackage image, ServerHome serverHome, ServerProcess.Launch launch, List<Integer> ports)
      throws IOException {
    GenericContainer<?> container =
        new GenericContainer<>(DockerImageName.parse(image.image()))
            .withCommand(launch.words().toArray(String[]::new))
            .withNetwork(Network.SHARED)
            .withNetworkAliases(ports.stream().map(ServerContainer::alias).toArray(String[]::new));
    container.setPortBindings(
        ports.stream().map(port -> "127.0.0.1:%1$d:%1$d".formatted(port)).toList());
    try (Stream<Path> files = Files.list(serverHome.path())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        container.withCopyToContainer(
            Transferable.of(Files.readAllBytes(file)),
            image.imageFolder() + "/" + file.getFileName());
      }
    }
    ServerContainer server = new ServerContainer(container, serverHome, launch);
    try {
      container.start();
    } catch (RuntimeException e) { // as Testcontainers has several, without a common type
      server.close();
      throw new ServerUnavailableException(image.image() + " cannot be started: " + e, e);
    }
    return server;
  }

  /** Where other containers reach the one with this port. */
  static String alias(int port) {
    return "server-" + port;
  }

  @Override
  public void awaitAnswer() {
    launch.awaitAnswer(this::failIfDead);
  }

  private void failIfDead() {
    if (!container.isRunning()) {
      throw new ServerUnavailableException(
          ServerProcess.failure(container.getDockerImageName(), "ended while starting", log()));
    }
  }

  @Override
  public synchronized void kill() {
    if (container.isRunning()) {
      container.getDockerClient().killContainerCmd(container.getContainerId()).exec();
    }
  }

  @Override
  public synchronized void start() {
    if (!container.isRunning()) {
      container.getDockerClient().startContainerCmd(container.getContainerId()).exec();
      awaitAnswer();
    }
  }

  @Override
  public String log() {
    return container.getLogs();
  }

  @Override
  public Machine.Finished run(List<String> words) throws IOException {
    try {
      Container.ExecResult result = container.execInContainer(words.toArray(String[]::new));
      return new Machine.Finished(result.getExitCode(), result.getStdout() + result.getStderr());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while running " + words, e);
    }
  }

  @Override
  public synchronized void close() {
    try {
      container.stop();
    } finally {
      serverHome.delete();
    }
  }
}
