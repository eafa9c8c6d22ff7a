package dev.outbox.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A package of the system that brings a broker. Where it is not installed, or where {@code
 * OUTBOX_TEST_RABBITMQ=docker} or {@code OUTBOX_TEST_NATS=docker} is set, a container of its {@code
 * image} is in its place. Immutable.
 *
 * @param name of the package and of the server's program
 * @param folders of which one has the programs
 * @param imageFolder where the server's settings are in a container
 */
record BrokerPackage(
    String broker, String name, List<String> folders, String image, String imageFolder) {

  /** Why the broker cannot be had here; empty if it can. */
  Optional<String> whyNot() {
    return isInContainer()
        ? Containers.whyNot().or(DockerEngine::whyElsewhere).map(this::noServer)
        : Optional.empty();
  }

  void require() {
    Optional<String> whyNot = whyNot();
    if (whyNot.isPresent()) {
      throw new ServerUnavailableException(whyNot.get());
    }
  }

  RunningServer launch(ServerHome serverHome, ServerProcess.Launch launch, List<Integer> ports)
      throws IOException {
    return isInContainer()
        ? ServerContainer.launch(this, serverHome, launch, ports)
        : ServerProcess.launch(name, serverHome, launch);
  }

  boolean isInContainer() {
    return installed().isEmpty();
  }

  /** How this program of the package is called where the server runs. */
  String program(String program) {
    return installed().map(folder -> folder.resolve(program).toString()).orElse(program);
  }

  /** Where the server listens. */
  String address() {
    return isInContainer() ? "0.0.0.0" : "127.0.0.1";
  }

  /** Where another server reaches the one with this port. */
  String host(int port) {
    return isInContainer() ? ServerContainer.alias(port) : "127.0.0.1";
  }

  /** Where the server finds the files of {@code serverHome}. */
  Path folder(ServerHome serverHome) {
    return isInContainer() ? Path.of(imageFolder) : serverHome.path();
  }

  private Optional<Path> installed() {
    return folders.stream()
        .filter(folder -> !isContainerWanted())
        .map(Path::of)
        .filter(folder -> Files.isExecutable(folder.resolve(name)))
        .findFirst();
  }

  private boolean isContainerWanted() {
    return "docker".equals(System.getenv(variable()));
  }

  private String variable() {
    return "OUTBOX_TEST_" + broker.toUpperCase(Locale.ROOT);
  }

  private String noServer(String noContainer) {
    String noPackage =
        isContainerWanted()
            ? variable() + "=docker is set"
            : "the package " + name + " is not installed";
    return "no " + broker + " server: " + noPackage + ", and " + noContainer;
  }
}
