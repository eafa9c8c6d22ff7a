package dev.outbox.servers;

import java.io.IOException;
import java.util.List;

/** A server that a test kills and starts again on its data: a process, or a container. */
interface RunningServer {
  /** Waits until it answers. */
  void awaitAnswer();

  /** The same after the first start: one that does not answer is closed. */
  default void awaitFirstAnswer() {
    try {
      awaitAnswer();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Its processes get no signal that they could answer. */
  void kill();

  /** Starts it again on its data and its ports, if it does not run, and waits until it answers. */
  void start();

  /** What it has said. */
  String log();

  /** Runs a program beside the server to its end. */
  Machine.Finished run(List<String> words) throws IOException;

  /** Ends it and removes its data. */
  void close();
}
