package dev.outbox.examples.mail;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.jdbc.Schema;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * A mail for every order, from the order to the mail server: a shop with an outbox, a relay, a
 * queue, and two workers with an inbox, each its own process and each killed at random. Every mail
 * is sent, its status changes once, and a mail goes out twice only where no design can prevent it:
 * when a worker is killed after the mail server has accepted its mail and before it commits.
 */
public final class Mail {
  private static final Duration PATIENCE = Duration.ofMinutes(9);
  private static final long LOOK_NANOS = 5_000_000;

  private final Plan plan;
  private final Random random;
  private final DataSource books;
  private final Crew crew;
  private final MailServer mailServer;
  private final AtomicInteger kills = new AtomicInteger();
  private final Set<String> unheard = ConcurrentHashMap.newKeySet();
  private int gaps;

  private Mail(Plan plan, DataSource books, Crew crew, MailServer mailServer) {
    this.plan = plan;
    this.random = new Random(plan.seed());
    this.books = books;
    this.crew = crew;
    this.mailServer = mailServer;
  }

  /** Runs it; exit code 1 if a mail is lost, sent unasked, or repeated without a reason. */
  public static void main(String[] args) throws Exception {
    Plan plan;
    try {
      plan = Plan.of(List.of(args));
    } catch (IllegalArgumentException e) {
      System.out.println(e.getMessage());
      System.exit(2);
      return;
    }
    Path folder = Files.createTempDirectory("outbox-mail");
    boolean clean;
    try (HikariDataSource books = Books.at(Books.urlIn(folder));
        MailServer mailServer = new MailServer();
        Crew crew = new Crew(folder.resolve("errors").toFile())) {
      Mail run = new Mail(plan, books, crew, mailServer);
      run.open(folder);
      run.killAtRandom();
      clean = run.tell(run.awaitAll());
    } finally {
      delete(folder);
    }
    System.exit(clean ? 0 : 1);
  }

  private void open(Path folder) throws IOException, SQLException {
    Schema.builder(books).lanes(4).with(Schema.Part.RECEIPT).create();
    Books.create(books);
    String url = Books.urlIn(folder);
    String port = freePort();
    String mailPort = String.valueOf(mailServer.port());
    crew.start("queue", QueueProgram.class, folder.resolve("queue").toString(), port, mailPort);
    crew.start("relay", RelayProgram.class, url, port);
    crew.start("worker-1", WorkerProgram.class, url, port, mailPort);
    crew.start("worker-2", WorkerProgram.class, url, port, mailPort);
    crew.start("clerk", ClerkProgram.class, url, String.valueOf(plan.mails()));
    System.out.printf(
        "A clerk, a relay, a queue and two workers for %d mails, %d kills, --seed %d%n",
        plan.mails(), plan.kills(), plan.seed());
  }

  private static String freePort() throws IOException {
    try (ServerSocket probe = new ServerSocket(0)) {
      return String.valueOf(probe.getLocalPort());
    }
  }

  /** Spreads the kills over the run, by how many mails have arrived. */
  private void killAtRandom() throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    for (int kill = 1; kill <= plan.kills(); kill++) {
      int arrived = (int) ((long) plan.mails() * kill / (plan.kills() + 2));
      while (mailServer.distinct() < arrived || mailServer.isKilling()) {
        rest(deadline);
      }
      kill(kill);
    }
    while (mailServer.isKilling()) {
      rest(deadline);
    }
  }

  /** The first is of a worker that has committed; of the others one at least is in the gap. */
  private void kill(int number) throws IOException {
    if (number == 1 && plan.kills() > 1) {
      mailServer.killAtNextAck(this::killBeforeItsAck);
      return;
    }
    boolean mustBeInTheGap = number == plan.kills() && gaps == 0;
    String victim = crew.names().get(random.nextInt(crew.names().size()));
    boolean inTheGap = mustBeInTheGap || (victim.startsWith("worker") && random.nextBoolean());
    if (inTheGap) {
      gaps++;
      mailServer.killAtNextMail(this::killInTheGap);
    } else {
      crew.killAndReplace(victim);
      System.out.printf("kill %2d: %s%n", kills.incrementAndGet(), victim);
    }
  }

  private boolean killInTheGap(String worker) {
    return kill(worker, "after the mail server said 250 OK and before it could commit");
  }

  private boolean killBeforeItsAck(String worker) {
    return kill(worker, "after its commit and before the queue heard of it") && unheard.add(worker);
  }

  /** False when this life of it is over already. */
  private boolean kill(String worker, String when) {
    try {
      if (!crew.killLife(worker)) {
        return false;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start the next worker", e);
    }
    System.out.printf("kill %2d: %s, %s%n", kills.incrementAndGet(), worker, when);
    return true;
  }

  /** Those whose last mail may come again: who had committed left a receipt. */
  private Set<String> killedBeforeTheirCommit() {
    Set<String> killed = new HashSet<>(crew.killed());
    killed.removeAll(unheard);
    return killed;
  }

  /** Waits until every mail is marked as sent. False when that takes too long. */
  private boolean awaitAll() throws SQLException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (count("mail_deliveries WHERE status = 'SENT'") < plan.mails()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return true;
  }

  private static void rest(long deadline) {
    if (System.nanoTime() > deadline) {
      throw new IllegalStateException("no mail has come for too long");
    }
    LockSupport.parkNanos(LOOK_NANOS);
  }

  private int count(String what) throws SQLException {
    return Books.count(books, "COUNT(*) FROM " + what);
  }

  private boolean tell(boolean all) throws SQLException {
    int requested = count("mail_deliveries");
    int sent = count("mail_deliveries WHERE status = 'SENT'");
    int twice = count("mail_deliveries WHERE sent_times > 1");
    Set<Integer> arrived = mailServer.numbers();
    long phantom = arrived.stream().filter(number -> number > plan.mails()).count();
    int unexplained = mailServer.unexplained(killedBeforeTheirCommit());
    int lost = requested - Math.min(sent, arrived.size());
    System.out.printf(
        "%n   status changed more than once            %6d%n"
            + "   sent for an order that was rolled back   %6d%n"
            + "   delivered again, and the inbox knew it   %6d%n"
            + "   sent again, worker killed in the gap     %6d%n"
            + "   sent again for any other reason          %6d%n%n",
        twice, phantom, unheard.size(), mailServer.repeated() - unexplained, unexplained);
    System.out.printf(
        "mail: requested=%d sent=%d repeated=%d lost=%d kills=%d%n",
        requested, sent, mailServer.repeated(), lost, kills.get());
    return all && twice == 0 && phantom == 0 && unexplained == 0 && lost == 0;
  }

  private static void delete(Path folder) throws IOException {
    List<File> files;
    try (Stream<Path> paths = Files.walk(folder)) {
      files = paths.sorted(Comparator.reverseOrder()).map(Path::toFile).toList();
    }
    files.forEach(File::delete);
  }
}
