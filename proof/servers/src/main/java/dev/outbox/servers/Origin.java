package dev.outbox.servers;

import java.util.Optional;

/**
 * Where a server was found: how to reach it as administrator, and its process if we started it.
 * Immutable.
 *
 * @param source in words, without the version if a process is ours
 */
record Origin(
    String url, String user, String password, String source, Optional<EmbeddedServer> process) {

  static Origin given(String url, String user, String password) {
    return new Origin(url, user, password, "environment", Optional.empty());
  }
}
