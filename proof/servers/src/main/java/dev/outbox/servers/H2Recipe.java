package dev.outbox.servers;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** H2's TCP server in its own JVM, from the jar on the class path. Stateless. */
final class H2Recipe implements Recipe {

  @Override
  public String name() {
    return "h2";
  }

  @Override
  public String resource() {
    return "org/h2/tools/Server.class";
  }

  @Override
  public String artifact() {
    return "com.h2database:h2";
  }

  /** The jar runs from where it lies. */
  @Override
  public void unpack(Path binaries) {}

  @Override
  public List<String> initialise(Path binaries, Path data) {
    return List.of("mkdir", data.toString());
  }

  @Override
  public List<String> run(Path binaries, Path data, int port) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx512m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-cp",
        jar(),
        "org.h2.tools.Server",
        "-tcp",
        "-tcpPort",
        Integer.toString(port),
        "-baseDir",
        data.toString(),
        "-ifNotExists");
  }

  private String jar() {
    try {
      JarURLConnection connection =
          (JarURLConnection) ClassPath.find(resource()).orElseThrow().openConnection();
      return Path.of(connection.getJarFileURL().toURI()).toString();
    } catch (IOException | URISyntaxException e) {
      throw new ServerUnavailableException("the jar of H2 is not to be found: " + e, e);
    }
  }

  @Override
  public String stopSignal() {
    return "KILL";
  }

  @Override
  public ServerOrigin origin(int port, EmbeddedServer process) {
    String url = "jdbc:h2:tcp://127.0.0.1:" + port + "/admin";
    return new ServerOrigin(url, "sa", "", "embedded", Optional.of(process));
  }
}
