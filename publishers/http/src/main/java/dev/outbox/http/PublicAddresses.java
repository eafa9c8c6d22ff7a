package dev.outbox.http;

import java.net.InetAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.security.Security;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Refuses destinations inside a private network: an endpoint that others choose must not reach what
 * only this machine can.
 *
 * <p>The JDK's client resolves a name by itself and does not show the address. So the name is
 * resolved here directly before each request, and the client finds the same answer in the cache of
 * the JVM; without that cache a name server could answer twice differently.
 */
record PublicAddresses(Names names) {
  /** By the names that this JVM knows or asks for. */
  static final PublicAddresses KNOWN_HERE = new PublicAddresses(InetAddress::getAllByName);

  private static final String CACHE = "networkaddress.cache.ttl";

  /** A property of the system, which the JVM heeds where the other is not set. */
  private static final String OLD_CACHE = "sun.net.inetaddr.ttl";

  /** Networks that are not for everybody; what {@link InetAddress} knows itself is left out. */
  private static final List<Network> SPECIAL =
      Stream.of(
              "0.0.0.0/8",
              "100.64.0.0/10",
              "192.0.0.0/24",
              "192.0.2.0/24",
              "192.88.99.0/24",
              "198.18.0.0/15",
              "198.51.100.0/24",
              "203.0.113.0/24",
              "240.0.0.0/4",
              "::/16",
              "64:ff9b::/32",
              "100::/64",
              "2001::/23",
              "2001:db8::/32",
              "2002::/16",
              "fc00::/7")
          .map(Network::of)
          .toList();

  /** What the JVM knows of names. */
  interface Names {
    InetAddress[] addresses(String host) throws UnknownHostException;
  }

  /** The addresses whose first {@code length} bits are those of {@code first}. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Network(byte[] first, int length) {
    static Network of(String text) {
      String[] parts = text.split("/", 2);
      try {
        return new Network(
            InetAddress.getByName(parts[0]).getAddress(), Integer.parseInt(parts[1]));
      } catch (UnknownHostException e) {
        throw new IllegalStateException(text + " is an address, not a name", e);
      }
    }

    boolean has(byte[] address) {
      if (address.length != first.length) {
        return false;
      }
      for (int bit = 0; bit < length; bit++) {
        int mask = 0x80 >> bit % 8;
        if ((address[bit / 8] & mask) != (first[bit / 8] & mask)) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * That a client connects to the address that is looked at here; null is one of the publisher's.
   *
   * @throws IllegalArgumentException when it has a proxy, or the JVM is set to keep no answers of
   *     name servers
   */
  static void requireSight(@Nullable HttpClient client) {
    if (client != null
        && client.proxy().filter(each -> each != HttpClient.Builder.NO_PROXY).isPresent()) {
      throw new IllegalArgumentException(
          "publicAddressesOnly() with a client that has a proxy, which resolves names itself; let the proxy refuse private addresses, or leave it out");
    }
    String cache = Security.getProperty(CACHE) == null ? OLD_CACHE : CACHE;
    String seconds = cache.equals(CACHE) ? Security.getProperty(CACHE) : System.getProperty(cache);
    if (seconds != null && seconds.strip().equals("0")) {
      throw new IllegalArgumentException(
          "%s is 0, so that a name could have another address when it is connected to; leave it out, or set 30"
              .formatted(cache));
    }
  }

  /** Looks the host up on another thread, because a name server may be slow. */
  CompletableFuture<Void> known(URI destination, HttpClient client) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            require(destination, client);
          } catch (UnknownHostException e) {
            throw new CompletionException(e);
          }
        },
        OwnThreads.DAEMONS);
  }

  /**
   * @throws HttpErrors.NotNow when this client reaches the host by a proxy of the JVM
   * @throws HttpErrors.Refused when one address of the host is not public
   */
  private void require(URI destination, HttpClient client) throws UnknownHostException {
    if (client.proxy().isEmpty()) {
      requireDirect(destination, ProxySelector.getDefault());
    }
    for (InetAddress address : names.addresses(destination.getHost())) {
      if (!isPublic(address)) {
        throw new HttpErrors.Refused(
            "destination %s has the address %s, which is not public; name another, or leave out publicAddressesOnly()"
                .formatted(HttpErrors.shown(destination), address.getHostAddress()));
      }
    }
  }

  /**
   * A client for which no proxy was set uses the settings of the JVM, such as {@code
   * https.proxyHost}.
   */
  private static void requireDirect(URI destination, @Nullable ProxySelector selector) {
    List<Proxy> proxies = selector == null ? List.of() : selector.select(destination);
    for (Proxy proxy : proxies) {
      if (proxy.type() != Proxy.Type.DIRECT) {
        throw new HttpErrors.NotNow(
            "%s is reached by a proxy of this JVM (%s), which resolves the name itself; give a client with proxy(NO_PROXY), or let the proxy refuse private addresses and leave out publicAddressesOnly()"
                .formatted(HttpErrors.shown(destination), proxy),
            null);
      }
    }
  }

  static boolean isPublic(InetAddress address) {
    return !address.isAnyLocalAddress()
        && !address.isLoopbackAddress()
        && !address.isLinkLocalAddress()
        && !address.isSiteLocalAddress()
        && !address.isMulticastAddress()
        && SPECIAL.stream().noneMatch(network -> network.has(address.getAddress()));
  }
}
