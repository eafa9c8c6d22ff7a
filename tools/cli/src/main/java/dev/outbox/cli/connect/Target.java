package dev.outbox.cli.connect;

import dev.outbox.cli.Exit;
import dev.outbox.cli.Refusal;
import dev.outbox.cli.text.Terminal;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database that was named: its URL, its driver, and what the driver is given.
 *
 * <p>Immutable. Waits for a server have an end: the driver gets time-outs that the URL does not
 * set.
 */
final class Target {
  private static final Pattern PASSWORD =
      Pattern.compile("(?i)[?&;(,]password=|//[^/@]*:[^/@]*@|(?:thin|oci8?):[^/@]+/[^@]+@");

  /** A driver would take a part of it for the port or the database, and quote it. */
  private static final Pattern UNENCODED =
      Pattern.compile(
          "//[^/?;#@:(\\[]*:(?:[^?;#@]*/[^?;#]*|\\d*(?:[,/][^?;#=]*)?[?;#][^=]*"
              + "|(?!\\d*(?:[,/?;#]|$))[^@]*[?;#].*)@");

  /** MariaDB's driver takes what is before the @ for a host and its port, and quotes it. */
  private static final Pattern BEFORE_MARIADB =
      Pattern.compile("^jdbc:mariadb:[^/]*(?://[^/?;#]*@|" + UNENCODED.pattern() + ")");

  private static final Pattern ANY_PASSWORD =
      Pattern.compile("(?i)password\\d*=|" + PASSWORD.pattern() + "|" + UNENCODED.pattern());
  private static final Map<String, Map<String, String>> TIME_OUTS =
      Map.of(
          "postgresql",
          Map.of(
              "connectTimeout", "10",
              "socketTimeout", "60",
              "loginTimeout", "10",
              "tcpKeepAlive", "true",
              "ApplicationName", "outbox-cli"),
          "mariadb",
          Map.of("connectTimeout", "10000", "socketTimeout", "60000"),
          "mysql",
          Map.of("connectTimeout", "10000", "socketTimeout", "60000"),
          "oracle",
          Map.of("oracle.net.CONNECT_TIMEOUT", "10000", "oracle.jdbc.ReadTimeout", "60000"));

  private final String url;
  private final Driver driver;
  private final Properties properties;

  private Target(String url, Driver driver, Properties properties) {
    this.url = url;
    this.driver = driver;
    this.properties = properties;
  }

  /**
   * The database that the options name, or the environment.
   *
   * @throws Refusal when none is named, no driver is for it, or its password would be seen by all
   */
  static Target of(CommonOptions access, Terminal terminal) {
    String url = access.url == null ? terminal.variable("OUTBOX_URL") : access.url;
    if (url == null) {
      throw refusal(
          "which database? Name it with --url jdbc:postgresql://host/database, or with OUTBOX_URL in"
              + " the environment");
    }
    if (access.url != null && ANY_PASSWORD.matcher(url).find()) {
      throw refusal(
          "the password in --url can be seen by every user of this machine. Leave it out, and give"
              + " it with --password-file, with OUTBOX_PASSWORD, or at the question; or put the whole"
              + " URL into OUTBOX_URL");
    }
    if (BEFORE_MARIADB.matcher(url).find()) {
      throw refusal(
          "MariaDB's driver takes no user and password before an @: leave them out of the URL, and"
              + " give them with OUTBOX_USER and OUTBOX_PASSWORD");
    }
    if (UNENCODED.matcher(url).find()) {
      throw refusal(
          "what is before the @ in OUTBOX_URL must be encoded, such as %2F for /; or leave the"
              + " password out, and give it with OUTBOX_PASSWORD");
    }
    String user = access.user == null ? terminal.variable("OUTBOX_USER") : access.user;
    Properties properties = new Properties();
    properties.putAll(timeOuts(url));
    if (user != null) {
      properties.setProperty("user", user);
    }
    Driver driver = Drivers.of(url, access.drivers);
    boolean asks = user != null && !PASSWORD.matcher(url).find();
    String password = Password.of(access.passwordFile, terminal, asks);
    if (password != null) {
      properties.setProperty("password", password);
    }
    return new Target(url, driver, properties);
  }

  static Map<String, String> timeOuts(String url) {
    String lower = url.toLowerCase(Locale.ROOT);
    String product = url.replaceFirst("^jdbc:([^:]*):.*$", "$1");
    Map<String, String> all = new HashMap<>(TIME_OUTS.getOrDefault(product, Map.of()));
    all.keySet().removeIf(name -> lower.contains(name.toLowerCase(Locale.ROOT) + "="));
    return all;
  }

  private static Refusal refusal(String sentence) {
    return new Refusal(Exit.USAGE, sentence);
  }

  DataSource dataSource() {
    return new DriverDataSource(this::connect);
  }

  private Connection connect() throws SQLException {
    @Nullable Connection connection = driver.connect(url, properties);
    if (connection == null) {
      throw new SQLException(
          "the driver " + driver.getClass().getName() + " does not know " + withoutSecrets(url));
    }
    return connection;
  }

  /**
   * Connects once, because a pool would wait for its patience and hide the reason.
   *
   * @throws Refusal when the database does not answer
   */
  void check() {
    try (Connection connection = connect()) {
      connection.getMetaData();
    } catch (SQLException e) {
      throw new Refusal(
          Exit.DATABASE, "no connection to " + withoutSecrets(url) + ": " + reason(e));
    }
  }

  /** Host and database. What may be a part of a password is left out, however it is written. */
  static String withoutSecrets(String url) {
    return UNENCODED
        .matcher(url)
        .replaceFirst("//***@")
        .replaceFirst("(?is)(password\\d*=).*", "$1***")
        .replaceFirst("(?s)([?;#]).*", "$1***")
        .replaceFirst("(?i)(//|(?:thin|oci8?):)[^@].*@", "$1***@")
        .replaceFirst("(//[^/:@(\\[]*:(?!\\d*(?:[,/?;#]|$))|thin:(?![@*])).*", "$1***");
  }

  /** With its cause, if that says more. */
  private static String reason(SQLException e) {
    String text = String.valueOf(e.getMessage()).strip();
    Throwable cause = e.getCause();
    String more = cause == null ? "" : String.valueOf(cause.getMessage());
    return more.isEmpty() || more.equals("null") || text.contains(more) ? text : text + ": " + more;
  }
}
