import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Checks what a module would upload, in target/central, for all that Maven Central asks for. The
 * profile "release" runs it for each module: java CheckRelease.java ROOT ARTIFACT SKIPPED.
 */
public final class CheckRelease {
  private static final Set<String> POM = Set.of(".pom");
  private static final Set<String> JAR =
      Set.of(".pom", ".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.xml", "-cyclonedx.json");
  private static final Map<String, String> CHECKSUMS = Map.of(".md5", "MD5", ".sha1", "SHA-1");
  private static final Pattern BESIDE = Pattern.compile(".*\\.(asc|md5|sha1|sha256|sha512)");
  private static final List<String> ASKED_FOR =
      List.of(
          "name",
          "description",
          "url",
          "licenses/license/name",
          "licenses/license/url",
          "developers/developer/name",
          "developers/developer/url",
          "scm/connection",
          "scm/developerConnection",
          "scm/url");

  private final String artifact;
  private final Path home;
  private final String version;
  private final List<String> wrongs = new ArrayList<>();

  private CheckRelease(String artifact, Path home) {
    this.artifact = artifact;
    this.home = home;
    this.version = home.getFileName().toString();
  }

  public static void main(String[] args) throws Exception {
    Path module = Path.of(args[0], "target", "central", "dev", "outbox", args[1]);
    if (Boolean.parseBoolean(args[2])) {
      end(Files.exists(module) ? List.of(args[1] + " is not for users, but is staged") : List.of());
      return;
    }
    List<Path> versions = list(module).stream().filter(Files::isDirectory).toList();
    if (versions.size() != 1) {
      end(List.of(args[1] + " is staged in versions " + versions));
      return;
    }
    CheckRelease check = new CheckRelease(args[1], versions.get(0));
    check.files();
    end(check.wrongs);
  }

  private static void end(List<String> wrongs) {
    wrongs.forEach(wrong -> System.err.println("release: " + wrong));
    if (!wrongs.isEmpty()) {
      System.exit(1);
    }
  }

  private void files() throws Exception {
    Map<String, Path> files = mainFiles();
    if (files.get(".pom") == null) {
      wrong("has no pom");
      return;
    }
    Document pom = xml(files.get(".pom"));
    boolean onlyPom = "pom".equals(value(pom, "packaging"));
    require(files.keySet().equals(onlyPom ? POM : JAR), "has the files " + files.keySet());
    pom(pom);
    for (Path file : files.values()) {
      checksums(file);
    }
    signatures(files.values());
    if (!onlyPom && wrongs.isEmpty()) {
      contents(files);
    }
  }

  /** What is staged beside checksums and signatures, by what its name says after the version. */
  private Map<String, Path> mainFiles() {
    String exact = Pattern.quote(version);
    String stamped = Pattern.quote(version.replace("-SNAPSHOT", "")) + "-\\d{8}\\.\\d{6}-\\d+";
    Pattern name =
        Pattern.compile(Pattern.quote(artifact) + "-(?:" + exact + "|" + stamped + ")(.+)");
    Map<String, Path> files = new TreeMap<>();
    for (Path file : list(home)) {
      String text = file.getFileName().toString();
      Matcher matcher = name.matcher(text);
      if (matcher.matches() && !BESIDE.matcher(text).matches()) {
        files.put(matcher.group(1), file);
      } else if (!BESIDE.matcher(text).matches() && !text.startsWith("maven-metadata")) {
        wrong("has a file of another name: " + text);
      }
    }
    return files;
  }

  private void pom(Document pom) {
    for (String path : ASKED_FOR) {
      require(!value(pom, path).isBlank(), "has no " + path + " in its pom");
    }
    require(artifact.equals(value(pom, "artifactId")), "has the pom of another artifact");
    require(version.equals(value(pom, "version")), "has the pom of another version");
    for (String element : List.of("parent", "modules", "repositories", "distributionManagement")) {
      require(one(pom.getDocumentElement(), element) == null, "has " + element + " in its pom");
    }
    NodeList dependencies = pom.getElementsByTagName("dependency");
    for (int at = 0; at < dependencies.getLength(); at++) {
      dependency((Element) dependencies.item(at));
    }
  }

  private void dependency(Element dependency) {
    String name = text(dependency, "artifactId");
    String asked = text(dependency, "version");
    require(!asked.isBlank(), "asks for " + name + " in no version");
    require(
        !asked.matches(".*(\\$\\{|[\\[(,]|LATEST|RELEASE).*"), "asks for " + name + " " + asked);
    require(
        version.endsWith("-SNAPSHOT") || !asked.endsWith("-SNAPSHOT"),
        "is a release and asks for " + name + " " + asked);
    require(!"test".equals(text(dependency, "scope")), "brings " + name + " of its tests");
  }

  private void checksums(Path file) throws IOException, NoSuchAlgorithmException {
    for (Map.Entry<String, String> kind : CHECKSUMS.entrySet()) {
      Path sum = file.resolveSibling(file.getFileName() + kind.getKey());
      byte[] digest = MessageDigest.getInstance(kind.getValue()).digest(Files.readAllBytes(file));
      require(
          Files.exists(sum)
              && Files.readString(sum).strip().equals(HexFormat.of().formatHex(digest)),
          "has no right " + sum.getFileName());
    }
  }

  /** With a key in the environment every file is signed with it; without one none is. */
  private void signatures(Iterable<Path> files) throws Exception {
    String key = System.getenv("MAVEN_GPG_KEY");
    Path keys = Files.createTempDirectory("gnupg");
    try {
      if (key != null) {
        require(gpg(keys, key, "--import") == 0, "cannot be checked: gpg does not take the key");
      }
      for (Path file : files) {
        Path signature = file.resolveSibling(file.getFileName() + ".asc");
        require(
            key == null
                ? !Files.exists(signature)
                : Files.exists(signature)
                    && gpg(keys, "", "--verify", signature.toString(), file.toString()) == 0,
            (key == null ? "has, without a key, " : "has no right ") + signature.getFileName());
      }
    } finally {
      gpgAgentEnds(keys);
    }
  }

  private static int gpg(Path keys, String input, String... args) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("gpg", "--homedir", keys.toString(), "--batch", "--quiet"));
    command.addAll(List.of(args));
    Path log = keys.resolve("log");
    Process gpg =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try (var in = gpg.outputWriter()) {
      in.write(input);
    }
    int code = gpg.waitFor();
    if (code != 0) {
      System.err.print(Files.readString(log));
    }
    return code;
  }

  private static void gpgAgentEnds(Path keys) throws Exception {
    new ProcessBuilder("gpgconf", "--homedir", keys.toString(), "--kill", "all").start().waitFor();
    try (Stream<Path> files = Files.walk(keys)) {
      files.sorted((one, other) -> other.compareTo(one)).forEach(file -> file.toFile().delete());
    }
  }

  private void contents(Map<String, Path> files) throws IOException {
    require(entries(files.get("-sources.jar"), ".*\\.java"), "has no source in its sources");
    require(entries(files.get("-javadoc.jar"), "index\\.html"), "has no page in its Javadoc");
    require(entries(files.get(".jar"), "META-INF/MANIFEST\\.MF"), "has no manifest in its jar");
    require(entries(files.get(".jar"), "META-INF/LICENSE"), "has no licence in its jar");
  }

  private static boolean entries(Path jar, String name) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.stream().anyMatch(entry -> entry.getName().matches(name));
    }
  }

  private void require(boolean right, String wrong) {
    if (!right) {
      wrong(wrong);
    }
  }

  private void wrong(String wrong) {
    wrongs.add(artifact + " " + wrong);
  }

  private static List<Path> list(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return new ArrayList<>(new TreeSet<>(files.toList()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Document xml(Path file) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
  }

  /** The text at a path of elements below the root, or none. */
  private static String value(Document document, String path) {
    Element at = document.getDocumentElement();
    for (String step : path.split("/")) {
      at = at == null ? null : one(at, step);
    }
    return at == null ? "" : at.getTextContent().strip();
  }

  private static String text(Element element, String child) {
    Element found = one(element, child);
    return found == null ? "" : found.getTextContent().strip();
  }

  private static Element one(Element element, String child) {
    for (Node at = element.getFirstChild(); at != null; at = at.getNextSibling()) {
      if (at.getNodeName().equals(child)) {
        return (Element) at;
      }
    }
    return null;
  }
}
