package dev.outbox.console;

import com.sun.net.httpserver.HttpServer;
import dev.outbox.Relay;
import dev.outbox.RelayStatus;
import dev.outbox.console.look.Looker;
import dev.outbox.console.serve.Access;
import dev.outbox.console.serve.ConsoleServer;
import dev.outbox.console.serve.PublicOrigin;
import dev.outbox.console.serve.Routes;
import dev.outbox.console.view.Changes;
import dev.outbox.console.view.StoreWatch;
import dev.outbox.console.view.Views;
import dev.outbox.spi.OutboxStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A page on which operators see a store and, if it may, operate it.
 *
 * <p>Safe for use by many threads. It only shows, unless it was built to {@link Builder#operate};
 * it asks the database nothing while nobody looks.
 *
 * <pre>{@code
 * OutboxConsole console = OutboxConsole.builder(store).relay(relay).port(8383).operate().start();
 * System.out.println(console.url()); // with the token
 * console.close();
 *
 * // behind a proxy with TLS
 * OutboxConsole.builder(store).port(8383).publicOrigin("https://ops.example.org").start();
 *
 * // in a server of your own, for users that it knows
 * OutboxConsole mounted =
 *     OutboxConsole.builder(store)
 *         .users(request -> sessions.userOf(request.header("Cookie")))
 *         .relays(() -> List.of(relay, another))
 *         .schema(schema::verify)
 *         .showPayloads()
 *         .mount();
 * ConsoleResponse response = mounted.answer(request);
 * }</pre>
 */
public final class OutboxConsole implements AutoCloseable {
  private final Routes routes;
  private final List<Runnable> parts;
  private final @Nullable URI url;

  private OutboxConsole(Routes routes, List<Runnable> parts, @Nullable URI url) {
    this.routes = routes;
    this.parts = parts;
    this.url = url;
  }

  public static Builder builder(OutboxStore store) {
    return new Builder(store);
  }

  /**
   * Where the page is, with the token that opens it; behind a proxy its public address.
   *
   * @throws IllegalStateException when it is mounted in another server
   */
  public URI url() {
    if (url == null) {
      throw new IllegalStateException(
          "the console is mounted in a server, which knows its address");
    }
    return url;
  }

  /** Answers a request, whatever it asks. */
  public ConsoleResponse answer(ConsoleRequest request) {
    return routes.answer(request);
  }

  /** Ends streams, and long work after the portion that is under way, and stops to listen. */
  @Override
  public void close() {
    parts.forEach(Runnable::run);
  }

  /** Who asks, as the application knows. */
  @FunctionalInterface
  public interface Users {
    /** The name of the user for the log, null when nobody is logged in. */
    @Nullable String name(ConsoleRequest request);
  }

  /**
   * Settings of a console.
   *
   * <ul>
   *   <li>{@link #operate}: it only shows
   *   <li>{@link #showPayloads}: payloads are hidden
   *   <li>{@link #bind}: the loopback address
   *   <li>{@link #port}: any that is free
   *   <li>{@link #publicOrigin}: its own address
   *   <li>{@link #users}: who has the token
   *   <li>{@link #interval}: 2 s
   * </ul>
   *
   * <p>Used by one thread.
   */
  public static final class Builder {
    private static final Duration SHORTEST = Duration.ofMillis(500);

    private final OutboxStore store;
    private final List<Supplier<List<Relay>>> relays = new ArrayList<>();
    private boolean operate;
    private boolean payloads;
    private InetAddress address = InetAddress.getLoopbackAddress();
    private int port;
    private Duration interval = Duration.ofSeconds(2);
    private @Nullable PublicOrigin publicOrigin;
    private @Nullable Users users;
    private @Nullable Supplier<List<String>> differences;

    private Builder(OutboxStore store) {
      this.store = Objects.requireNonNull(store, "store");
    }

    /** Lets users pause and limit topics, and replay and discard dead letters. */
    public Builder operate() {
      this.operate = true;
      return this;
    }

    /** Shows payloads of dead letters, which may be confidential. */
    public Builder showPayloads() {
      this.payloads = true;
      return this;
    }

    /** Listens at another address than the loopback one; put a proxy with TLS before it. */
    public Builder bind(InetAddress address) {
      this.address = Objects.requireNonNull(address, "address");
      return this;
    }

    /**
     * Listens at this port; 0 is any that is free.
     *
     * @throws IllegalArgumentException when it is not 0 to 65535
     */
    public Builder port(int port) {
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException("port is " + port + ", it must be 0 to 65535");
      }
      this.port = port;
      return this;
    }

    /**
     * Where browsers find it behind a proxy, such as {@code https://ops.example.org}: it answers to
     * that name, takes changes from a page there and from no other, and by https its cookie is sent
     * by TLS only. The console's own server then needs a {@link #port}.
     *
     * @throws IllegalArgumentException when it is not scheme and host, perhaps with a port
     */
    public Builder publicOrigin(String origin) {
      this.publicOrigin = PublicOrigin.of(origin);
      return this;
    }

    /**
     * How often it looks while somebody watches: six statements each time, whoever watches.
     *
     * @throws IllegalArgumentException when it is below half a second
     */
    public Builder interval(Duration interval) {
      if (interval.compareTo(SHORTEST) < 0) {
        throw new IllegalArgumentException(
            "interval is %s, the minimum is %s".formatted(interval, SHORTEST));
      }
      this.interval = interval;
      return this;
    }

    /**
     * Names the user of a request, null for none; in place of the console's own token. Ask your own
     * log-in: any client can send any header.
     */
    public Builder users(Users users) {
      this.users = Objects.requireNonNull(users, "users");
      return this;
    }

    /** Also shows which brokers this relay finds down, and when it tries them again. */
    public Builder relay(Relay relay) {
      List<Relay> one = List.of(relay);
      return relays(() -> one);
    }

    /** As {@link #relay}, for those that run when somebody looks. */
    public Builder relays(Supplier<List<Relay>> running) {
      relays.add(Objects.requireNonNull(running, "running"));
      return this;
    }

    private static List<RelayStatus> statuses(List<Supplier<List<Relay>>> relays) {
      return relays.stream().flatMap(each -> each.get().stream()).map(Relay::status).toList();
    }

    /** Also shows in what the tables differ, as {@code Schema.verify} says. */
    public Builder schema(Supplier<List<String>> differences) {
      this.differences = Objects.requireNonNull(differences, "differences");
      return this;
    }

    /**
     * Starts a server of its own.
     *
     * @throws java.io.UncheckedIOException when the port is taken
     * @throws IllegalStateException when a proxy is named, and no port that it knows
     */
    public OutboxConsole start() {
      if (publicOrigin != null && port == 0) {
        throw new IllegalStateException("publicOrigin needs a port(..), which the proxy knows");
      }
      Parts made = parts(); // before the port is taken: the store may refuse
      HttpServer listening = ConsoleServer.listen(new InetSocketAddress(address, port));
      OutboxConsole console =
          made.behind(
              Access.of(listening.getAddress(), users == null ? null : users::name, publicOrigin));
      console.parts.add(ConsoleServer.start(listening, console::answer)::close);
      return console;
    }

    /**
     * Listens nowhere: the application hands its requests to {@link OutboxConsole#answer}.
     *
     * @throws IllegalStateException when nobody names the users
     */
    public OutboxConsole mount() {
      if (users == null) {
        throw new IllegalStateException(
            "who may use the console? Call users(..), which asks your own authentication");
      }
      return parts().behind(Access.mounted(users::name, publicOrigin));
    }

    private Parts parts() {
      List<Supplier<List<Relay>>> known = List.copyOf(relays);
      Views views =
          new Views(store, new Views.What(operate, payloads, () -> statuses(known), differences));
      Changes changes = operate ? new Changes(store) : null;
      return new Parts(views, changes, new StoreWatch(new Looker(store, Looker.BOUND), interval));
    }

    private record Parts(Views views, @Nullable Changes changes, StoreWatch sampler) {
      OutboxConsole behind(Access access) {
        List<Runnable> parts = new ArrayList<>(List.of(sampler::close, views::close));
        if (changes != null) {
          parts.add(changes::close);
        }
        return new OutboxConsole(access.routes(views, changes, sampler), parts, access.url());
      }
    }
  }
}
