package dev.outbox.benchmarks.workload;

import dev.outbox.benchmarks.contender.Contenders;
import dev.outbox.benchmarks.contender.Installation;
import dev.outbox.benchmarks.contender.Installation.Movement;
import dev.outbox.benchmarks.contender.Sink;
import dev.outbox.benchmarks.contender.Tuning;
import dev.outbox.benchmarks.measure.JavaProcess;
import dev.outbox.benchmarks.measure.Site;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;

/**
 * A relay in its own JVM. Asked by a line, it answers how many messages have arrived there; told to
 * end, it answers which.
 */
final class RelayProcess implements AutoCloseable {
  private final Process process;
  private final PrintStream orders;
  private final BufferedReader answers;

  private RelayProcess(Process process) {
    this.process = process;
    this.orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts the JVM; its relay starts when {@link #begin} tells it to. */
  static RelayProcess start(String contender, Site site) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(contender));
    arguments.addAll(site.arguments());
    RelayProcess relay =
        new RelayProcess(JavaProcess.of("512m", RelayProcess.class, arguments).start());
    relay.answer();
    return relay;
  }

  void begin() {
    orders.println("begin");
  }

  long arrived() throws IOException {
    orders.println("count");
    return Long.parseLong(answer());
  }

  /** Closes the relay; returns what has arrived there. */
  BitSet end() throws IOException {
    orders.println("end");
    String[] parts = answer().split(" ", -1);
    if (!parts[0].isEmpty()) {
      throw new IllegalStateException("in a relay process: " + parts[0].replace('_', ' '));
    }
    return BitSet.valueOf(Base64.getDecoder().decode(parts[1]));
  }

  private String answer() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("a relay process has ended");
    }
    return line;
  }

  @Override
  public void close() {
    process.destroy();
  }

  /** The other process. */
  public static void main(String[] arguments) throws Exception {
    Site site = Site.of(Arrays.asList(arguments).subList(1, arguments.length));
    Sink sink = Sink.counting();
    try (Installation installation = Contenders.named(arguments[0], site.database()).open(site);
        BufferedReader orders =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      System.out.println("ready");
      orders.readLine();
      Movement movement = installation.start(Tuning.USUAL, sink);
      try (movement) {
        while ("count".equals(orders.readLine())) {
          System.out.println(sink.arrived());
        }
      }
      System.out.println(repeated(sink) + " " + encoded(sink.seen()));
    }
  }

  private static String repeated(Sink sink) {
    try {
      sink.checkNoneRepeated();
      return "";
    } catch (IllegalStateException e) {
      return String.valueOf(e.getMessage()).replace(' ', '_');
    }
  }

  private static String encoded(BitSet numbers) {
    return Base64.getEncoder().encodeToString(numbers.toByteArray());
  }
}
