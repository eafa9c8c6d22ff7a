package dev.outbox.console.serve;

import dev.outbox.console.ConsoleRequest;
import dev.outbox.console.view.Changes;
import dev.outbox.console.view.Sampler;
import dev.outbox.console.view.Views;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How one gets in: by the console's own server and token, or by an application's.
 *
 * <p>Immutable.
 */
public final class Access {
  private static final int TOKEN_BYTES = 32;

  private final Guard guard;
  private final Guard.@Nullable Token token;
  private final @Nullable URI url;

  private Access(Guard guard, Guard.@Nullable Token token, @Nullable URI url) {
    this.guard = guard;
    this.token = token;
    this.url = url;
  }

  /** In an application's server, for its users. */
  public static Access mounted(Function<ConsoleRequest, @Nullable String> users) {
    return new Access(new Guard(null, users, null), null, null);
  }

  /** At an address, by a new token unless somebody names the users. */
  public static Access of(
      InetSocketAddress address, @Nullable Function<ConsoleRequest, @Nullable String> users) {
    Guard.Token token =
        users == null ? new Guard.Token(random(), "outbox_console_" + address.getPort()) : null;
    Guard guard = new Guard(token, users == null ? request -> null : users, hosts(address));
    String place = "http://" + host(address) + ":" + address.getPort() + "/";
    return new Access(
        guard, token, URI.create(token == null ? place : place + "#token=" + token.value()));
  }

  /** At the loopback address only its names; elsewhere whatever name a proxy has for it. */
  private static @Nullable Set<String> hosts(InetSocketAddress address) {
    if (!address.getAddress().isLoopbackAddress()) {
      return null;
    }
    Set<String> hosts = new HashSet<>();
    for (String name : new String[] {"localhost", "127.0.0.1", "[::1]"}) {
      hosts.add(name + ":" + address.getPort());
    }
    return hosts;
  }

  private static String host(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return host.contains(":") ? "[" + host + "]" : host;
  }

  private static String random() {
    byte[] bytes = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  public Routes routes(Views views, @Nullable Changes changes, Sampler sampler) {
    String cookie =
        token == null
            ? null
            : "%s=%s; HttpOnly; SameSite=Strict; Path=/".formatted(token.cookie(), token.value());
    return new Routes(guard, views, changes, sampler, cookie);
  }

  /** Where the page is, with the token; null where it is mounted. */
  public @Nullable URI url() {
    return url;
  }
}
