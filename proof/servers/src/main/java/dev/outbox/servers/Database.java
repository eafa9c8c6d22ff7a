package dev.outbox.servers;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A database product that tests can run on, and the way to its one server in this JVM.
 *
 * <p>Thread-safe: a server starts once, on first use, whichever thread asks first.
 */
public enum Database {
  POSTGRES(new PostgresProduct(), InstalledRecipe.postgres(new PostgresRecipe())),
  MYSQL(MysqlProduct.MYSQL, new MysqlRecipe()),
  MARIADB(MysqlProduct.MARIADB, InstalledRecipe.mariadb(new MariadbRecipe())),
  /** In memory: gone with the JVM. */
  H2(H2Product.memory(""), null),
  /**
   * On disk and open to other JVMs, so that a forked process may be killed and its work checked.
   */
  H2_FILE(H2Product.file(), null),
  /** On disk behind its own process, which can be stopped and restarted like the others. */
  H2_SERVER(H2Product.server(), new H2Recipe()),
  /** H2 that reads Oracle's SQL text; not a proof that Oracle accepts it. */
  H2_ORACLE(H2Product.memory(";MODE=Oracle;DEFAULT_NULL_ORDERING=HIGH"), null),
  /** Only from the environment, or as a container with {@code OUTBOX_TEST_ORACLE=docker}. */
  ORACLE(new OracleProduct(), null);

  @SuppressWarnings("ImmutableEnumChecker") // the one server of this JVM, guarded by its slot
  private final Slot slot;

  Database(ServerProduct serverProduct, @Nullable Recipe recipe) {
    this.slot = new Slot(this, serverProduct, Optional.ofNullable(recipe));
  }

  /**
   * The running server of this database, started now if it was not.
   *
   * @throws ServerUnavailableException if there is none and none can be started
   */
  public DatabaseServer server() {
    return slot.server();
  }

  /**
   * A server of the caller's own beside {@link #server()}, started now: one to stop, or to ask what
   * it tells only while no other test asks. It ends with this JVM, or by {@link
   * DatabaseServer#stop}. Where the environment names a server there is no other, and it is that
   * one.
   *
   * @throws ServerUnavailableException if none can be started
   */
  public DatabaseServer anotherServer() {
    return slot.another();
  }

  /**
   * A new empty database on the server, for one test class.
   *
   * @throws ServerUnavailableException if there is no server and none can be started
   */
  public Sandbox sandbox() {
    return server().sandbox();
  }

  /** Whether {@link #server()} is expected to work; starts nothing. */
  public boolean isAvailable() {
    return whyNot().isEmpty();
  }

  /** Why there is no server, in words, with the remedy; empty if there is one or may be one. */
  public Optional<String> whyNot() {
    return slot.whyNot();
  }

  /**
   * Starts several servers at the same time and returns when all are up, in the order asked for.
   *
   * @throws ServerUnavailableException if one of them cannot be started
   */
  public static List<DatabaseServer> startAll(Database... databases) {
    ExecutorService starters = Executors.newCachedThreadPool(Database::starterThread);
    try {
      return Arrays.stream(databases)
          .map(database -> CompletableFuture.supplyAsync(database::server, starters))
          .toList()
          .stream()
          .map(CompletableFuture::join)
          .toList();
    } catch (CompletionException failure) {
      Throwable cause = Objects.requireNonNullElse(failure.getCause(), failure);
      throw new ServerUnavailableException(String.valueOf(cause.getMessage()), cause);
    } finally {
      starters.shutdown();
    }
  }

  private static Thread starterThread(Runnable task) {
    Thread thread = new Thread(task, "outbox-testkit-starter");
    thread.setDaemon(true);
    return thread;
  }
}
