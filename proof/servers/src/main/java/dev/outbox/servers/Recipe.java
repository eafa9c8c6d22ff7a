package dev.outbox.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How to unpack, initialise and run one server from an artifact on the class path. Implementations
 * are stateless.
 */
interface Recipe {
  String name();

  /** The archive in the artifact, or any file of it. */
  String resource();

  /** The Maven coordinates that bring the resource. */
  String artifact();

  /** What tells one release of the programs from another. */
  default String edition() throws IOException {
    return Long.toHexString(ClassPath.size(resource()));
  }

  void unpack(Path binaries) throws IOException;

  List<String> initialise(Path binaries, Path data);

  List<String> run(Path binaries, Path data, int port);

  /** SQL lines to be run at every start; empty if the server needs none. */
  default String startSql() {
    return "";
  }

  /** The signal after which nothing of the server is left, with no time for an orderly end. */
  String stopSignal();

  ServerOrigin origin(int port, EmbeddedServer process);

  /** Why this machine cannot run it; empty if it may. */
  default Optional<String> whyNot() {
    return ClassPath.find(resource()).isPresent()
        ? Optional.empty()
        : Optional.of(
            "no "
                + name()
                + " for this machine: "
                + resource()
                + " is not on the class path (add "
                + artifact()
                + ", start a Docker engine, or name a server in the environment)");
  }
}
