package dev.outbox.console.serve;

import dev.outbox.console.ConsoleRequest;
import dev.outbox.console.view.Changes;
import dev.outbox.console.view.StoreWatch;
import dev.outbox.console.view.Views;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who gets in, and where: by the console's own server and token, or by an application's.
 *
 * <p>Immutable.
 */
public final class Access {
  private static final String NO_TOKEN = "Enter the token that the console showed at its start.";
  private static final String NO_USER =
      "You are not logged in. Log in to the application, then open this page again.";

  private final Guard guard;
  private final @Nullable Login login;
  private final @Nullable URI url;

  private Access(Guard guard, @Nullable Login login, @Nullable URI url) {
    this.guard = guard;
    this.login = login;
    this.url = url;
  }

  /** In an application's server, for its users. */
  public static Access mounted(
      Function<ConsoleRequest, @Nullable String> users, @Nullable PublicOrigin publicOrigin) {
    return new Access(new Guard(users, NO_USER, null, publicOrigin), null, null);
  }

  /**
   * At an address, and at the public origin if there is a proxy. Users log in with a new token,
   * unless {@code users} names them.
   */
  public static Access of(
      InetSocketAddress address,
      @Nullable Function<ConsoleRequest, @Nullable String> users,
      @Nullable PublicOrigin publicOrigin) {
    String own = "http://" + host(address) + ":" + address.getPort();
    String place = (publicOrigin == null ? own : publicOrigin.text()) + "/";
    Set<String> hosts = hosts(address, publicOrigin);
    if (users != null) {
      return new Access(new Guard(users, NO_USER, hosts, publicOrigin), null, URI.create(place));
    }
    boolean isSecure = publicOrigin != null && publicOrigin.isSecure();
    Login login = new Login("outbox_console_" + address.getPort(), isSecure, System::nanoTime);
    return new Access(
        new Guard(login::user, NO_TOKEN, hosts, publicOrigin),
        login,
        URI.create(place + "#token=" + login.token()));
  }

  /** At the loopback address its names and the public one; elsewhere whatever name a proxy has. */
  private static @Nullable Set<String> hosts(
      InetSocketAddress address, @Nullable PublicOrigin publicOrigin) {
    if (!address.getAddress().isLoopbackAddress()) {
      return null;
    }
    Set<String> hosts = new HashSet<>(List.of("localhost", "127.0.0.1", "[::1]", host(address)));
    if (publicOrigin != null) {
      hosts.add(publicOrigin.host());
    }
    return hosts;
  }

  private static String host(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return host.contains(":") ? "[" + host + "]" : host;
  }

  public Routes routes(Views views, @Nullable Changes changes, StoreWatch sampler) {
    return new Routes(guard, views, changes, sampler, login);
  }

  /** Where the page is, with the token; null where it is mounted. */
  public @Nullable URI url() {
    return url;
  }
}
