package dev.outbox.examples.mail;

import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * A small durable queue as its own process. What was put is on the disk before it is answered; what
 * was taken is delivered again if it is not acknowledged on the same connection: at least once, as
 * queues are. It drops no repeats.
 */
public final class QueueProgram {
  private final FileOutputStream journal;
  private final TreeMap<Long, String> waiting = new TreeMap<>();
  private long last;

  private final int conductorPort;

  private QueueProgram(Path file, int conductorPort) throws IOException {
    this.conductorPort = conductorPort;
    if (Files.exists(file)) {
      recover(Files.readString(file, StandardCharsets.UTF_8));
    }
    this.journal = new FileOutputStream(file.toFile(), true);
    // ends a line that a kill has cut off
    this.journal.write('\n');
  }

  /**
   * Serves the queue in the file {@code args[0]} at port {@code args[1]}, and asks at port {@code
   * args[2]} whether an acknowledgement arrives.
   */
  public static void main(String[] args) throws IOException {
    QueueProgram queue = new QueueProgram(Path.of(args[0]), Integer.parseInt(args[2]));
    try (ServerSocket server =
        new ServerSocket(Integer.parseInt(args[1]), 50, InetAddress.getLoopbackAddress())) {
      while (true) {
        Socket socket = server.accept();
        new Thread(() -> queue.serve(socket)).start();
      }
    }
  }

  /** A line that was cut off has never been answered: it is not whole, and does not count. */
  private void recover(String lines) {
    for (String line : lines.split("\n", -1)) {
      String[] words = line.split(" ", -1);
      if (words[0].equals("PUT") && words[words.length - 1].equals(".")) {
        last = Long.parseLong(words[1]);
        waiting.put(last, words[2] + " " + words[3]);
      } else if (words[0].equals("ACK") && words[words.length - 1].equals(".")) {
        waiting.remove(Long.parseLong(words[1]));
      }
    }
  }

  private void serve(Socket socket) {
    Held held = new Held();
    try (Line client = new Line(socket)) {
      for (String[] words = client.hear(); words.length > 0; words = client.hear()) {
        switch (words[0]) {
          case "PUT" -> client.say(put(words[1] + " " + words[2]));
          case "GET" -> client.say(take(held));
          case "ACK" -> client.say(acknowledge(held, words[1]));
          default -> throw new IOException("not a word of the queue's: " + words[0]);
        }
      }
    } catch (IOException gone) {
      // as when it hangs up
      giveBack(held);
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    giveBack(held);
  }

  /** What one connection has taken and not acknowledged. */
  private static final class Held {
    private long number;
    private String content = "";
  }

  private synchronized String put(String content) throws IOException {
    write("PUT %d %s .".formatted(++last, content));
    waiting.put(last, content);
    notifyAll();
    return "OK";
  }

  private synchronized String take(Held held) throws InterruptedException {
    while (waiting.isEmpty()) {
      wait();
    }
    Map.Entry<Long, String> first = waiting.pollFirstEntry();
    held.number = first.getKey();
    held.content = first.getValue();
    return held.content;
  }

  private String acknowledge(Held held, String worker) throws IOException {
    try (Line conductor = Line.to(conductorPort)) {
      if (!conductor.ask("ACK " + worker).equals("OK")) {
        throw new IOException("it died before this arrived: " + worker);
      }
    }
    return acknowledge(held);
  }

  private synchronized String acknowledge(Held held) throws IOException {
    write("ACK %d .".formatted(held.number));
    held.number = 0;
    return "OK";
  }

  private synchronized void giveBack(Held held) {
    if (held.number > 0) {
      waiting.put(held.number, held.content);
      notifyAll();
    }
  }

  private void write(String line) throws IOException {
    journal.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    journal.getFD().sync();
  }
}
