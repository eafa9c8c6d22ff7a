package dev.outbox.benchmarks.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the threads of this process, and of JVMs that it has started, have used so far, by the names
 * that the system shows without their numbers; the JVM's own are among them. Empty where the system
 * does not show them.
 *
 * <p>Immutable.
 */
public record ThreadUsage(Map<String, Used> byName) {
  /** As the system names the threads of both compilers, cut at its limit, without their numbers. */
  private static final String COMPILERS = "C CompilerThre";

  /** Processor time, and how often the thread waited. */
  public record Used(double seconds, long waits) {
    private static final Used NOTHING = new Used(0, 0);

    private Used plus(Used other) {
      return new Used(seconds + other.seconds, waits + other.waits);
    }

    private Used minus(Used other) {
      return new Used(seconds - other.seconds, waits - other.waits);
    }
  }

  public ThreadUsage {
    byName = new TreeMap<>(byName);
  }

  public static ThreadUsage now() {
    Map<String, Used> byName = new TreeMap<>();
    readAll("self", byName);
    Children.jvms().forEach(jvm -> readAll(String.valueOf(jvm.pid()), byName));
    return new ThreadUsage(byName);
  }

  private static void readAll(String process, Map<String, Used> byName) {
    Path all = Path.of("/proc", process, "task");
    if (!Files.isDirectory(all)) {
      return;
    }
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(all)) {
      for (Path task : tasks) {
        read(task, byName);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void read(Path task, Map<String, Used> byName) throws IOException {
    try {
      String stat = Files.readString(task.resolve("stat"));
      String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
      byName.merge(
          name.replaceAll("[-#]?[0-9]+", ""),
          new Used(Children.seconds(stat), waits(Files.readString(task.resolve("status")))),
          Used::plus);
    } catch (NoSuchFileException ended) {
      return; // a thread that has ended meanwhile
    }
  }

  private static long waits(String status) {
    return status
        .lines()
        .filter(line -> line.startsWith("voluntary_ctxt_switches:"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
        .sum();
  }

  /** What was used between {@code before} and this, by the threads that live still. */
  public ThreadUsage since(ThreadUsage before) {
    Map<String, Used> between = new TreeMap<>();
    byName.forEach(
        (name, used) ->
            between.put(name, used.minus(before.byName.getOrDefault(name, Used.NOTHING))));
    return new ThreadUsage(between);
  }

  /** The processor time of the JVM's compilers. */
  public double compilerSeconds() {
    return byName.getOrDefault(COMPILERS, Used.NOTHING).seconds;
  }

  /** Adds what counts of it to {@code measures}, for each of {@code messages}. */
  public void perMessage(Measures measures, long messages) {
    byName.forEach(
        (name, used) -> {
          double micros = used.seconds * 1e6 / messages;
          if (micros >= 1) {
            measures.put("CPU of " + name, "us per message", micros);
            measures.put("waits of " + name, "per message", (double) used.waits / messages);
          }
        });
  }
}
