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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The mail server, which is outside of every transaction: it counts what it accepts, and from whom.
 * When told so, it has the worker killed whose mail it has just accepted, before it answers.
 *
 * <p>Safe for use by many threads.
 */
final class MailServer implements Closeable {
  private final ServerSocket server;
  private final List<Accepted> accepted = new ArrayList<>();
  private final AtomicReference<Consumer<String>> killer = new AtomicReference<>();

  /** A mail as it came in from one life of a worker. */
  record Accepted(String worker, int number) {}

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
      if (words.length > 0) {
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
    Consumer<String> kill = killer.getAndSet(null);
    if (kill != null) {
      kill.accept(mail.worker());
    }
  }

  /** Has the next worker killed between the acceptance of its mail and the answer. */
  void killAtNext(Consumer<String> kill) {
    killer.set(kill);
  }

  boolean isKilling() {
    return killer.get() != null;
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
