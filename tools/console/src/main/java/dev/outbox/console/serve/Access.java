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
  public static Access mounted(Function<ConsoleRequest, @Nullable String> users) {
    return new Access(new Guard(users, NO_USER, null), null, null);
  }

  /** At an address, by a new token unless somebody names the users. */
  public static Access of(
      InetSocketAddress address, @Nullable Function<ConsoleRequest, @Nullable String> users) {
    String place = "http://" + host(address) + ":" + address.getPort() + "/";
    if (users != null) {
      return new Access(new Guard(users, NO_USER, hosts(address)), null, URI.create(place));
    }
    Login login = new Login("outbox_console_" + address.getPort(), System::nanoTime);
    return new Access(
        new Guard(login::user, NO_TOKEN, hosts(address)),
        login,
        URI.create(place + "#token=" + login.token()));
  }

  /** At the loopback address only its names; elsewhere whatever name a proxy has for it. */
  private static @Nullable Set<String> hosts(InetSocketAddress address) {
    return address.getAddress().isLoopbackAddress()
        ? new HashSet<>(List.of("localhost", "127.0.0.1", "[::1]", host(address)))
        : null;
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
