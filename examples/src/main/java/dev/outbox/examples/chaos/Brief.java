package dev.outbox.examples.chaos;

import dev.outbox.examples.chaos.Terms.Login;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What a process is told when it starts. It travels in the environment, where a password is not
 * seen by everybody.
 *
 * <p>Immutable.
 */
record Brief(Map<String, String> words) {
  private static final String PREFIX = "CHAOS_";

  Brief {
    words = Map.copyOf(words);
  }

  static Brief of(Login login, Path folder, long seed) {
    return new Brief(Map.of())
        .with("url", login.url())
        .with("user", login.user())
        .with("password", login.password())
        .with("folder", folder.toAbsolutePath())
        .with("seed", seed);
  }

  static Brief fromEnvironment() {
    Map<String, String> words = new HashMap<>();
    System.getenv()
        .forEach(
            (name, value) -> {
              if (name.startsWith(PREFIX)) {
                words.put(name.substring(PREFIX.length()), value);
              }
            });
    return new Brief(words);
  }

  void writeTo(Map<String, String> environment) {
    words.forEach((name, value) -> environment.put(PREFIX + name, value));
  }

  Brief with(String name, Object value) {
    Map<String, String> more = new HashMap<>(words);
    more.put(name, value.toString());
    return new Brief(more);
  }

  String text(String name) {
    String text = words.get(name);
    if (text == null) {
      throw new IllegalStateException("this program is started by Chaos, which tells it " + name);
    }
    return text;
  }

  long number(String name) {
    return Long.parseLong(text(name));
  }

  Login login() {
    return new Login(text("url"), text("user"), text("password"));
  }

  Path folder() {
    return Path.of(text("folder"));
  }
}
