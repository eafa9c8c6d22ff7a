package dev.outbox.upgrade;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Another build of the libraries and of the chaos example, made once from the history of this
 * repository. Its jars stay in {@code target/previous}, its sources nowhere.
 *
 * <p>Immutable.
 */
record PreviousBuild(List<Path> classPath) {
  private static final Path MODULE = Path.of("").toAbsolutePath();
  private static final Path ROOT = MODULE.getParent().getParent();
  private static final String DDL = "dev/outbox/jdbc/ddl/";
  private static final List<String> WITHOUT_CHECKS =
      List.of(
          "-Dmaven.test.skip=true",
          "-Dmaven.javadoc.skip=true",
          "-Dmaven.source.skip=true",
          "-Dspotless.check.skip=true",
          "-Dmdep.analyze.skip=true",
          "-Denforcer.skip=true");

  /** The build that the system property {@code outbox.previous} names, a commit or a tag. */
  static PreviousBuild get() throws IOException, InterruptedException {
    return of(System.getProperty("outbox.previous", ""));
  }

  /** That of a commit or a tag. */
  static PreviousBuild of(String name) throws IOException, InterruptedException {
    String commit = commit(name);
    Path folder = MODULE.resolve("target").resolve("previous").resolve(commit);
    Path list = folder.resolve("classpath");
    if (!Files.exists(list)) {
      List<String> jars = build(commit, Files.createDirectories(folder));
      // last, so that a build that broke off is done again
      Files.write(list, jars);
    }
    return new PreviousBuild(Files.readAllLines(list).stream().map(Path::of).toList());
  }

  private static String commit(String name) throws IOException, InterruptedException {
    List<String> question =
        List.of("git", "-C", ROOT.toString(), "rev-parse", "--verify", "-q", name + "^{commit}");
    Process git = new ProcessBuilder(question).redirectErrorStream(true).start();
    String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (git.waitFor() != 0) {
      throw new IllegalStateException(
          "this clone has no commit '%s'; run git fetch --unshallow --tags, or name another commit with -Doutbox.previous"
              .formatted(name));
    }
    return answer.strip();
  }

  /** Builds in a folder for the time being; returns the class path of the chaos example. */
  private static List<String> build(String commit, Path folder)
      throws IOException, InterruptedException {
    Path sources = Files.createTempDirectory("outbox-previous-");
    try {
      run(ROOT, List.of("git", "archive", "-o", sources + "/sources.tar", commit));
      run(sources, List.of("tar", "-xf", "sources.tar"));
      run(sources, maven());
      Path target = sources.resolve("examples").resolve("target");
      List<String> classPath = new ArrayList<>();
      classPath.add(keep(only(target, "outbox-examples-"), folder));
      String others = Files.readString(target.resolve("previous.classpath")).strip();
      for (String other : others.split(File.pathSeparator, -1)) {
        boolean isBuilt = other.startsWith(sources.toString());
        classPath.add(isBuilt ? keep(Path.of(other), folder) : other);
      }
      return classPath;
    } finally {
      delete(sources);
    }
  }

  private static List<String> maven() {
    List<String> maven = new ArrayList<>(List.of("./mvnw", "-B", "-ntp", "-q"));
    String repository = System.getProperty("maven.repo.local");
    if (repository != null) {
      maven.add("-Dmaven.repo.local=" + repository);
    }
    maven.addAll(WITHOUT_CHECKS);
    maven.addAll(List.of("-pl", "examples", "-am", "package", "dependency:build-classpath"));
    maven.add("-Dmdep.includeScope=runtime");
    maven.add("-Dmdep.outputFile=target/previous.classpath");
    return maven;
  }

  private static Path only(Path folder, String prefix) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches(prefix + ".*\\.jar"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static String keep(Path jar, Path folder) throws IOException {
    Path kept = folder.resolve(jar.getFileName());
    Files.deleteIfExists(kept);
    return Files.copy(jar, kept).toString();
  }

  private static void run(Path folder, List<String> command)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).directory(folder.toFile()).inheritIO().start();
    if (process.waitFor() != 0) {
      throw new IllegalStateException(
          "%s in %s ended with %d".formatted(command, folder, process.exitValue()));
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** As an argument of {@code java}. */
  String classPathText() {
    return String.join(File.pathSeparator, classPath.stream().map(Path::toString).toList());
  }

  /** The DDL that its library brings, by name. */
  Map<String, String> ddl() throws IOException {
    Path jar =
        classPath.stream()
            .filter(each -> each.getFileName().toString().startsWith("outbox-jdbc-"))
            .findFirst()
            .orElseThrow();
    Map<String, String> ddl = new TreeMap<>();
    try (ZipFile library = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : library.stream().filter(PreviousBuild::isDdl).toList()) {
        try (InputStream text = library.getInputStream(entry)) {
          ddl.put(
              entry.getName().substring(DDL.length()),
              tables(new String(text.readAllBytes(), StandardCharsets.UTF_8)));
        }
      }
    }
    return ddl;
  }

  /** Without the statements that fill them: with the same tables those may find other words. */
  private static String tables(String ddl) {
    return ddl.replaceAll("(?s)INSERT (IGNORE )?INTO [^;]*;", "");
  }

  private static boolean isDdl(ZipEntry entry) {
    return entry.getName().startsWith(DDL) && makesTables(entry.getName());
  }

  /** The steps of an upgrade may change; SchemaUpgradeTest tells what they lead to. */
  private static boolean makesTables(String name) {
    return name.endsWith(".sql") && !name.contains("/upgrade-");
  }

  /** The DDL of this build, by name. */
  static Map<String, String> ddlOfThisBuild() throws IOException {
    Path folder = ROOT.resolve("outbox-jdbc/src/main/resources").resolve(DDL);
    Map<String, String> ddl = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(each -> makesTables(each.toString())).toList()) {
        ddl.put(folder.relativize(file).toString(), tables(Files.readString(file)));
      }
    }
    return ddl;
  }
}
