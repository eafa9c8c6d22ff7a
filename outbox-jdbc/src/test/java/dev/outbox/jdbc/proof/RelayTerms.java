package dev.outbox.jdbc.proof;

import dev.outbox.testkit.history.Journal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * All that a relay of a proof is told, in the form of program arguments. Defaults: lease 3 s,
 * renewed every second; flights may take 10 s and a close 10 s; a grace of 2 s; 4 connections; a
 * broker that takes no time.
 *
 * <p>Immutable.
 */
record RelayTerms(Map<String, String> values) {
  RelayTerms {
    values = Map.copyOf(values);
  }

  /** A relay of this name over a database, which writes its journal in {@code folder}. */
  static RelayTerms of(String label, Path folder, Login login) {
    return new RelayTerms(Map.of("label", label, "folder", folder.toAbsolutePath().toString()))
        .login(login)
        .lease(Duration.ofSeconds(3), Duration.ofSeconds(1))
        .deadlines(Duration.ofSeconds(10), Duration.ofSeconds(10))
        .perMessage(Duration.ZERO)
        .volume(500, 2000)
        .grace(Duration.ofSeconds(2))
        .connections(4);
  }

  /** How to reach a database. */
  record Login(String url, String user, String password) {}

  static RelayTerms parse(String[] arguments) {
    return new RelayTerms(
        Arrays.stream(arguments)
            .map(argument -> argument.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1])));
  }

  List<String> arguments() {
    return values.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList();
  }

  private RelayTerms with(String name, Object value) {
    Map<String, String> changed = new TreeMap<>(values);
    changed.put(name, value.toString());
    return new RelayTerms(changed);
  }

  private String value(String name) {
    return values.get(name);
  }

  RelayTerms login(Login login) {
    return with("url", login.url()).with("user", login.user()).with("password", login.password());
  }

  RelayTerms lease(Duration lease, Duration renewal) {
    return with("lease", lease).with("renewal", renewal);
  }

  RelayTerms deadlines(Duration publish, Duration close) {
    return with("publish", publish).with("close", close);
  }

  RelayTerms perMessage(Duration time) {
    return with("perMessage", time);
  }

  RelayTerms volume(int batch, int inFlight) {
    return with("batch", batch).with("inFlight", inFlight);
  }

  RelayTerms grace(Duration grace) {
    return with("grace", grace);
  }

  RelayTerms connections(int most) {
    return with("connections", most);
  }

  String label() {
    return value("label");
  }

  Journal openJournal() {
    return Journal.open(Path.of(value("folder")), label());
  }

  Login login() {
    return new Login(value("url"), value("user"), value("password"));
  }

  Duration lease() {
    return Duration.parse(value("lease"));
  }

  Duration renewal() {
    return Duration.parse(value("renewal"));
  }

  Duration publishDeadline() {
    return Duration.parse(value("publish"));
  }

  Duration closeDeadline() {
    return Duration.parse(value("close"));
  }

  Duration perMessage() {
    return Duration.parse(value("perMessage"));
  }

  int batch() {
    return Integer.parseInt(value("batch"));
  }

  int inFlight() {
    return Integer.parseInt(value("inFlight"));
  }

  Duration grace() {
    return Duration.parse(value("grace"));
  }

  int connections() {
    return Integer.parseInt(value("connections"));
  }
}
