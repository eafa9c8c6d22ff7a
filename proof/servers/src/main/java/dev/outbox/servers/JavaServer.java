package dev.outbox.servers;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How a server runs in a JVM and on a class path of its own, and is known to be up: it takes
 * connections on {@code port}. {@code main} is the class and its arguments. Immutable.
 */
record JavaServer(String name, String classPath, List<String> options, List<String> main, int port)
    implements ServerProcess.Launch {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /**
   * The jars of a server, which are in a list that a module of the build has resolved, and that
   * module's own classes.
   *
   * @throws ServerUnavailableException when the list is not on the class path
   */
  static String jars(String name) throws IOException {
    String list = "dev/outbox/servers/" + name + ".classpath";
    URL found =
        ClassPath.find(list)
            .orElseThrow(
                () ->
                    new ServerUnavailableException(
                        "no %1$s for this machine: %2$s is not on the class path (add dev.outbox:outbox-%1$s-server)"
                            .formatted(name, list)));
    try (InputStream content = found.openStream()) {
      String jars = new String(content.readAllBytes(), StandardCharsets.UTF_8).strip();
      return jars + File.pathSeparator + holder(found.toString(), list);
    }
  }

  /** The jar or the folder in which a resource was found. */
  private static Path holder(String url, String resource) {
    String root = url.substring(0, url.length() - resource.length());
    boolean isJar = root.startsWith("jar:");
    return Path.of(URI.create(isJar ? root.substring(4, root.indexOf("!/")) : root));
  }

  @Override
  public String stopSignal() {
    return "TERM";
  }

  @Override
  public List<String> words() {
    List<String> words = new ArrayList<>();
    words.add(ProcessHandle.current().info().command().orElse("java"));
    words.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    words.addAll(options);
    words.addAll(List.of("-cp", classPath));
    words.addAll(main);
    return words;
  }

  @Override
  public void awaitAnswer(Runnable check) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!answers()) {
      check.run();
      if (System.nanoTime() > end) {
        throw new ServerUnavailableException(
            "no answer from %s within %d s".formatted(name, PATIENCE.toSeconds()));
      }
      Answer.pause();
    }
  }

  private boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }
}
