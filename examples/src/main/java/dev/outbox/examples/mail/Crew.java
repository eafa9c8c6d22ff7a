package dev.outbox.examples.mail;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The processes of a run: each is killed with SIGKILL and replaced by one of the next life.
 *
 * <p>Safe for use by many threads.
 */
final class Crew implements AutoCloseable {
  private final Map<String, Member> members = new TreeMap<>();
  private final Set<String> killed = new HashSet<>();
  private final File errors;

  /** A process, what it runs, and how often it has been replaced. */
  private record Member(Class<?> program, List<String> arguments, int life, Process process) {}

  Crew(File errors) {
    this.errors = errors;
  }

  /** Starts {@code program} under a name; a worker gets its name and life as last argument. */
  synchronized void start(String name, Class<?> program, String... arguments) throws IOException {
    start(name, program, List.of(arguments), 1);
  }

  private void start(String name, Class<?> program, List<String> arguments, int life)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xmx128m"));
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(arguments);
    command.add(name + "#" + life);
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors))
            .start();
    members.put(name, new Member(program, arguments, life, process));
  }

  /** Kills it, as a power cut would, and starts the next one. */
  synchronized void killAndReplace(String name) throws IOException {
    kill(name);
    Member dead = member(name);
    start(name, dead.program(), dead.arguments(), dead.life() + 1);
  }

  /** Kills the life that calls itself {@code name#life}; false when it is gone already. */
  synchronized boolean killLife(String nameAndLife) throws IOException {
    String name = nameAndLife.substring(0, nameAndLife.indexOf('#'));
    if (!nameAndLife.equals(name + "#" + member(name).life())) {
      return false;
    }
    killAndReplace(name);
    return true;
  }

  private void kill(String name) {
    Member member = member(name);
    Process process = member.process().destroyForcibly();
    killed.add(name + "#" + member.life());
    boolean interrupted = false;
    while (process.isAlive()) {
      try {
        process.waitFor(1, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private Member member(String name) {
    Member member = members.get(name);
    if (member == null) {
      throw new IllegalArgumentException("nobody is called " + name);
    }
    return member;
  }

  synchronized List<String> names() {
    return List.copyOf(members.keySet());
  }

  /** All lives that were killed, as {@code name#life}. */
  synchronized Set<String> killed() {
    return Set.copyOf(killed);
  }

  /** Asks all to end (SIGTERM), and ends those that do not. */
  @Override
  public synchronized void close() {
    members.values().forEach(member -> member.process().destroy());
    for (Member member : members.values()) {
      if (!ends(member.process())) {
        member.process().destroyForcibly();
      }
    }
  }

  private static boolean ends(Process process) {
    try {
      return process.waitFor(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
