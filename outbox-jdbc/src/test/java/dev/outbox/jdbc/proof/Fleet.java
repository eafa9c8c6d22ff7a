package dev.outbox.jdbc.proof;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The relay processes of one proof. None outlives it, nor this JVM.
 *
 * <p>Used by one thread.
 */
final class Fleet implements AutoCloseable {
  private final Path folder;
  private final List<RelayProcess> processes = new CopyOnWriteArrayList<>();
  private final Thread lastResort = new Thread(this::killAll, "fleet-end");

  Fleet(Path folder) {
    this.folder = folder;
    Runtime.getRuntime().addShutdownHook(lastResort);
  }

  /** Starts a process for each of the terms, all at once; returns when all their relays joined. */
  List<RelayProcess> join(RelayTerms... terms) {
    List<RelayProcess> started = List.of(terms).stream().map(this::launch).toList();
    started.forEach(RelayProcess::askToJoin);
    started.forEach(process -> process.awaitAnswer("joined"));
    return started;
  }

  private RelayProcess launch(RelayTerms terms) {
    RelayProcess process = RelayProcess.launch(terms, folder);
    processes.add(process);
    return process;
  }

  private void killAll() {
    processes.forEach(RelayProcess::kill);
  }

  /** Kills what still lives. */
  @Override
  public void close() {
    killAll();
    Runtime.getRuntime().removeShutdownHook(lastResort);
  }
}
