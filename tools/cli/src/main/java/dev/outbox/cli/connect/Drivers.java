package dev.outbox.cli.connect;

import dev.outbox.cli.Exit;
import dev.outbox.cli.Refusal;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/** Finds the driver that knows a URL: in the jars that were named, then beside this program. */
final class Drivers {
  // PostgreSQL's warnings about a URL quote what may be a password. The field keeps
  // the logger, or its level would be lost with it.
  private static final Logger POSTGRESQL = Logger.getLogger("org.postgresql");

  static {
    POSTGRESQL.setLevel(Level.OFF);
  }

  private Drivers() {}

  /**
   * The driver for the URL.
   *
   * @throws Refusal when a jar is missing, or no driver knows the URL
   */
  static Driver of(String url, List<Path> jars) {
    List<Driver> known = new ArrayList<>();
    ServiceLoader.load(Driver.class, loader(jars)).forEach(known::add);
    for (Driver driver : known) {
      if (knows(driver, url)) {
        return driver;
      }
    }
    throw new Refusal(
        Exit.USAGE,
        "no JDBC driver knows %s, or the rest of the URL is wrong. Known are %s; name the jar of another one with --driver"
            .formatted(
                url.replaceFirst("^(jdbc:[^:]*:).*$", "$1..."),
                known.stream()
                    .map(driver -> driver.getClass().getName())
                    .collect(Collectors.toCollection(TreeSet::new))));
  }

  private static boolean knows(Driver driver, String url) {
    try {
      return driver.acceptsURL(url);
    } catch (SQLException e) {
      throw new Refusal(Exit.USAGE, "the URL cannot be read: " + e.getMessage());
    }
  }

  /** It stays open: the driver loads classes until the end of this process. */
  private static ClassLoader loader(List<Path> jars) {
    URL[] urls = jars.stream().map(Drivers::url).toArray(URL[]::new);
    return new URLClassLoader(urls, Drivers.class.getClassLoader());
  }

  private static URL url(Path jar) {
    if (!Files.isRegularFile(jar)) {
      throw new Refusal(Exit.USAGE, "--driver is " + jar + ", and there is no such file");
    }
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }
}
