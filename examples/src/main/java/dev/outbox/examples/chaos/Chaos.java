package dev.outbox.examples.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Snapshot;
import dev.outbox.examples.chaos.Plan.Fault;
import dev.outbox.examples.chaos.Slot.State;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.testkit.history.Journal;
import dev.outbox.testkit.history.Note;
import dev.outbox.testkit.history.Verdict;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A chaos test: writers and relays are processes on a real database. They are killed, paused and
 * terminated at random, and so is the database. Afterwards every message is accounted for: none
 * lost, invented or out of order, and every repeat was in flight in a relay that was hit.
 */
public final class Chaos {
  private static final Duration WITHOUT_PROGRESS = Duration.ofSeconds(100);
  private static final Duration SHORT_WHILE = Duration.ofMillis(300);
  private static final double MESSAGES_PER_TRANSACTION = 3;
  private static final double SLOWER = 1.1;
  private static final String TOPICS = "accounts.changed,accounts.audited";

  private final Terms terms;
  private final Tale tale;
  private final Path folder;
  private final Ground ground;
  private final @Nullable ProxiedBroker broker;
  private final HikariDataSource pool;
  private final Journal journal;
  private final Agenda agenda = new Agenda();
  private final Random random;

  private Chaos(Terms terms, PrintStream out) throws Exception {
    this.terms = terms;
    this.tale = new Tale(out);
    this.random = new Random(terms.seed());
    this.folder = Files.createDirectories(terms.folder().resolve(run(terms)));
    tale.line("seed %d; journals and logs in %s".formatted(terms.seed(), folder));
    this.broker = terms.hasRealBroker() ? ProxiedBroker.start(terms.broker()) : null;
    this.ground = Ground.of(terms);
    this.pool = Pools.open("chaos", ground.login(), 2);
    this.journal = Journal.open(folder, "conductor");
  }

  private static String run(Terms terms) {
    String time =
        LocalTime.now(ZoneId.systemDefault()).format(DateTimeFormatter.ofPattern("HHmmss"));
    return terms.databaseName() + "-" + terms.seed() + "-" + time;
  }

  /** Exit code 1 if a promise was broken, 2 if an argument cannot be used. */
  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    if (List.of(arguments).contains("--help")) {
      out.println(Terms.HELP);
      return;
    }
    int code;
    try {
      code = new Chaos(Terms.parse(arguments), out).run();
    } catch (BadArgumentException e) {
      System.err.println(e.getMessage());
      code = 2;
    }
    System.exit(code);
  }

  private int run() throws Exception {
    try (broker;
        ground;
        pool;
        journal;
        Crew crew = new Crew(terms.builds(), agenda, journal, tale)) {
      Business business = new Business(pool);
      createTables(business);
      Plan plan = Plan.of(terms.kills(), terms.hasRealBroker(), random);
      gather(crew, plan);
      new Conductor(ground, broker, crew, agenda, journal, tale).carryOut(plan);
      tale.tell("no more faults; the writers hurry up");
      JdbcStore store = Patience.until("the database answers", () -> JdbcStore.create(pool));
      drain(crew, store);
      closeRelays(crew, store);
      return judge(business, store);
    }
  }

  private void createTables(Business business) throws Exception {
    try {
      business.create();
      Schema.builder(pool).create();
    } catch (Exception e) {
      if (terms.given() == null) {
        throw e;
      }
      throw new BadArgumentException(
          "--url is '%s', it must be an empty database of which the user may do everything: %s"
              .formatted(terms.given().url(), e.getMessage()));
    }
  }

  private void gather(Crew crew, Plan plan) {
    Brief brief =
        Brief.of(ground.login(), folder, random.nextLong())
            .with("sabotage", terms.sabotage())
            .with("broker", terms.broker())
            .with("address", broker == null ? "" : broker.server().address())
            .with("topics", broker == null ? TOPICS : broker.server().topic());
    for (int number = 1; number <= terms.relays(); number++) {
      crew.add("relay-" + number, true, brief);
    }
    Brief share = brief.with("rest", rest(plan).toMillis());
    for (int number = 1; number <= terms.writers(); number++) {
      int messages = terms.messages() / terms.writers();
      int odd = number == 1 ? terms.messages() % terms.writers() : 0;
      crew.add("writer-" + number, false, share.with("share", messages + odd));
    }
    tale.tell(
        "%d relays and %d writers start on %s; %d messages, %d faults",
        terms.relays(), terms.writers(), ground, terms.messages(), plan.turns().size());
  }

  /** Between two transactions of a thread, so that the writing takes as long as the plan. */
  private Duration rest(Plan plan) {
    int threads = terms.writers() * WriterProgram.THREADS;
    double transactions = terms.messages() / MESSAGES_PER_TRANSACTION;
    double millis = plan.length().toMillis() * SLOWER * threads / transactions;
    return Duration.ofMillis((long) millis);
  }

  private void drain(Crew crew, JdbcStore store) throws Exception {
    awaitNone("writers or relays not at their end", () -> unfinished(crew));
    tale.tell("all is written");
    awaitNone("messages not delivered", () -> undelivered(store));
    tale.tell("all is drained");
  }

  /** How far the writing is from its end. */
  private long unfinished(Crew crew) throws SQLException {
    crew.look(random);
    crew.hurry();
    boolean done =
        crew.isAt(slot -> !slot.isRelay(), State.DONE) && crew.isAt(Slot::isRelay, State.RUNNING);
    return done ? 0 : 1 + Math.max(0, terms.messages() - new Business(pool).written());
  }

  private long undelivered(JdbcStore store) {
    Snapshot snapshot = store.snapshot(terms.messages());
    return snapshot.ready() + snapshot.parked() + snapshot.delayed();
  }

  /** Waits until there are none, or until for too long they have not become fewer. */
  private void awaitNone(String what, Callable<Long> count) throws Exception {
    long least = Long.MAX_VALUE;
    long progress = System.nanoTime();
    long left = Patience.until("the database answers", count);
    while (left > 0) {
      if (left < least) {
        least = left;
        progress = System.nanoTime();
      } else if (System.nanoTime() - progress > WITHOUT_PROGRESS.toNanos()) {
        tale.problem("no progress for %s: %d %s", WITHOUT_PROGRESS, left, what);
        return;
      }
      agenda.pass(SHORT_WHILE);
      left = Patience.until("the database answers", count);
    }
  }

  private void closeRelays(Crew crew, JdbcStore store) throws Exception {
    List<String> closed = crew.closeRelays();
    for (Snapshot.OwnedLane lane : store.snapshot(1).lanes()) {
      String owner = String.valueOf(lane.owner());
      if (closed.stream().anyMatch(relay -> owner.startsWith(relay + "-"))) {
        tale.problem("%s closed and left lane %s leased", owner, lane.lane());
      }
    }
    tale.tell("all relays have closed");
  }

  private int judge(Business business, JdbcStore store) throws Exception {
    List<Note> notes = Journal.read(folder).notes();
    Verdict verdict =
        new Examination(broker == null ? notes : broker.withReceived(notes), business, store, tale)
            .verdict(terms.messages());
    tale.row("stopped for longer than a lease, then continued", tale.count(Fault.STOP));
    tale.row("told to end", tale.count(Fault.END));
    tale.row("times that all sessions were ended", tale.count(Fault.CUT));
    tale.row("times that the database was killed", tale.count(Fault.RESTART));
    if (broker != null) {
      tale.row("times that the broker was killed", tale.count(Fault.KILL_BROKER));
      tale.row("times that the broker was cut off", tale.count(Fault.CUT_BROKER));
    }
    terms.builds().tell(notes, tale);
    tale.line("");
    if (!verdict.passes()) {
      tale.line(verdict.toString());
    }
    tale.line("verdict: %s kills=%d".formatted(verdict.summary(), tale.count(Fault.KILL)));
    return verdict.passes() ? 0 : 1;
  }
}
