package dev.outbox.examples.mail;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The mail server, which is outside of every transaction: it counts what it accepts, and from whom.
 * When told so, it has the worker killed whose mail it has just accepted, before it answers. The
 * queue asks it before every acknowledgement that it takes, so that one can get lost with its
 * worker.
 *
 * <p>Safe for use by many threads.
 */
final class MailServer implements Closeable {
  private final ServerSocket server;
  private final List<Accepted> accepted = new ArrayList<>();
  private final Trap accepting = new Trap();
  private final Trap acknowledging = new Trap();

  /** A mail as it came in from one life of a worker. */
  record Accepted(String worker, int number) {}

  /** Where the next worker that comes by is to be killed. */
  private static final class Trap {
    private @Nullable Predicate<String> kill;

    synchronized void set(Predicate<String> kill) {
      this.kill = kill;
    }

    synchronized boolean isSet() {
      return kill != null;
    }

    /** True when {@code worker} was killed; a trap that killed no process stays. */
    synchronized boolean springs(String worker) {
      if (kill == null || !kill.test(worker)) {
        return false;
      }
      kill = null;
      return true;
    }
  }

  MailServer() throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread door = new Thread(this::serve, "mail-server");
    door.setDaemon(true);
    door.start();
  }

  int port() {
    return server.getLocalPort();
  }

  private void serve() {
    try {
      while (true) {
        Socket socket = server.accept();
        Thread thread = new Thread(() -> receive(socket), "mail");
        thread.setDaemon(true);
        thread.start();
      }
    } catch (IOException closed) {
      // the run is over
      return;
    }
  }

  private void receive(Socket socket) {
    try (Line client = new Line(socket)) {
      String[] words = client.hear();
      if (words.length == 0) {
        return;
      }
      if (words[0].equals("ACK")) {
        client.say(acknowledging.springs(words[1]) ? "LOST" : "OK");
      } else {
        accept(new Accepted(words[1], Integer.parseInt(words[3])));
        client.say("250 OK");
      }
    } catch (IOException killed) {
      // the worker is gone before it could hear the answer
      return;
    }
  }

  private void accept(Accepted mail) {
    synchronized (accepted) {
      accepted.add(mail);
    }
    accepting.springs(mail.worker());
  }

  /** Has the next worker killed between the acceptance of its mail and the answer. */
  void killAtNextMail(Predicate<String> kill) {
    accepting.set(kill);
  }

  /** Has the next worker killed between its commit and its acknowledgement. */
  void killAtNextAck(Predicate<String> kill) {
    acknowledging.set(kill);
  }

  /** True until the kill has happened. */
  boolean isKilling() {
    return accepting.isSet() || acknowledging.isSet();
  }

  /** How many different mails have come. */
  int distinct() {
    return numbers().size();
  }

  Set<Integer> numbers() {
    synchronized (accepted) {
      Set<Integer> numbers = new HashSet<>();
      accepted.forEach(mail -> numbers.add(mail.number()));
      return numbers;
    }
  }

  /** How many mails came again. */
  int repeated() {
    synchronized (accepted) {
      return accepted.size() - numbers().size();
    }
  }

  /**
   * How many came again though the worker that had sent them before was not killed at it: a worker
   * does one mail at a time, so that must have been its last.
   */
  int unexplained(Set<String> killed) {
    synchronized (accepted) {
      Map<String, Integer> lastOf = new HashMap<>();
      accepted.forEach(mail -> lastOf.put(mail.worker(), mail.number()));
      Map<Integer, Accepted> before = new HashMap<>();
      int unexplained = 0;
      for (Accepted mail : accepted) {
        Accepted first = before.put(mail.number(), mail);
        boolean explained =
            first == null
                || (killed.contains(first.worker())
                    && lastOf.getOrDefault(first.worker(), 0) == first.number());
        unexplained += explained ? 0 : 1;
      }
      return unexplained;
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
