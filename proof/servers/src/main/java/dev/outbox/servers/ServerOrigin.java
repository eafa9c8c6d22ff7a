package dev.outbox.servers;

import java.util.Optional;

/**
 * Where a server was found: how to reach it as administrator, and its process if we started it.
 * Immutable.
 *
 * @param source in words, without the version if a process is ours
 */
record ServerOrigin(
    String url, String user, String password, String source, Optional<EmbeddedServer> process) {

  static ServerOrigin given(String url, String user, String password) {
    return new ServerOrigin(url, user, password, "environment", Optional.empty());
  }
}
