package dev.outbox.console;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The metadata of the jars tell a native image of all that their code looks up at run time. */
class ReachabilityTest {
  private static final JavaClasses CODE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.outbox")
          .that(resideOutsideOfPackages("dev.outbox.testkit..", "dev.outbox.servers.."));

  private static final Pattern LOOK_UP =
      Pattern.compile(
          "java\\.lang\\.(Class|ClassLoader|Module)\\."
              + "(forName|newInstance|loadClass|get(System)?Resource.*|find.*"
              + "|get(Declared)?(Method|Constructor|Field|RecordComponent)s?)"
              + "|java\\.lang\\.invoke\\.MethodHandles\\$Lookup\\.(find|unreflect).*"
              + "|java\\.lang\\.reflect\\.Proxy\\.newProxyInstance"
              + "|java\\.util\\.(ServiceLoader\\.load.*|ResourceBundle\\.getBundle)"
              + "|java\\.io\\.ObjectInputStream\\..*");

  @Test
  void what_looks_something_up_is_known_here_and_in_the_metadata() throws Exception {
    assertThat(lookUps(CODE))
        .containsExactlyInAnyOrder(
            "dev.outbox.internal.relay.RelayThreads", // below
            "dev.outbox.jdbc.internal.schema.Ddl", // files, below
            "dev.outbox.jdbc.sql.Texts",
            "dev.outbox.console.serve.Page");
    JsonNode executors = metadata(Outbox.class).at("/reflection/0");
    assertThat(executors.path("type").asText()).isEqualTo(Executors.class.getName());
    String method = executors.at("/methods/0/name").asText();
    assertThat(method).isEqualTo("newVirtualThreadPerTaskExecutor");
    if (Runtime.version().feature() >= 21) {
      assertThat(Executors.class.getMethod(method)).isNotNull();
    }
  }

  @Test
  void every_file_of_the_jars_is_a_resource() throws Exception {
    assertResources(JdbcStore.class, "dev/outbox/jdbc/sql/oracle/settle.sql");
    assertResources(OutboxConsole.class, "dev/outbox/console/page/index.html");
    assertThat(files(Outbox.class)).isEmpty();
  }

  @Test
  void nothing_random_is_made_when_a_class_is_initialised() {
    assertThat(randoms(CODE)).isEmpty();
  }

  @Test
  void classes_that_break_the_rules_are_found() {
    JavaClasses broken = new ClassFileImporter().importClasses(Broken.class);
    assertThat(lookUps(broken)).hasSize(1);
    assertThat(randoms(broken)).hasSize(1);
  }

  static final class Broken {
    static final SecureRandom RANDOM = new SecureRandom();

    Class<?> look(String name) throws ClassNotFoundException {
      return Class.forName(name);
    }
  }

  /** The classes that do so, the outermost. */
  private static Set<String> lookUps(JavaClasses classes) {
    return classes.stream()
        .flatMap(type -> type.getAccessesFromSelf().stream())
        .filter(ReachabilityTest::isLookUp)
        .map(access -> access.getOriginOwner().getName().replaceFirst("\\$(?!Broken).*", ""))
        .collect(Collectors.toSet());
  }

  private static boolean isLookUp(JavaAccess<?> access) {
    String target = access.getTargetOwner().getName() + "." + access.getTarget().getName();
    return LOOK_UP.matcher(target).matches();
  }

  private static List<JavaField> randoms(JavaClasses classes) {
    return classes.stream()
        .flatMap(type -> type.getFields().stream())
        .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
        .filter(field -> field.getRawType().isAssignableTo(java.util.Random.class))
        .toList();
  }

  private static void assertResources(Class<?> ofJar, String known) throws Exception {
    List<String> globs =
        StreamSupport.stream(metadata(ofJar).path("resources").spliterator(), false)
            .map(each -> "glob:" + each.path("glob").asText())
            .toList();
    assertThat(files(ofJar)).contains(known);
    for (String file : files(ofJar)) {
      assertThat(globs)
          .as(file)
          .anyMatch(glob -> FileSystems.getDefault().getPathMatcher(glob).matches(Path.of(file)));
    }
  }

  private static JsonNode metadata(Class<?> ofJar) throws Exception {
    String artifact =
        ofJar == Outbox.class
            ? "outbox-core"
            : ofJar == JdbcStore.class ? "outbox-jdbc" : "outbox-console";
    String name = "/META-INF/native-image/dev.outbox/" + artifact + "/reachability-metadata.json";
    try (InputStream in = ofJar.getResourceAsStream(name)) {
      return new ObjectMapper().readTree(in);
    }
  }

  /** What is no class and no metadata, in a folder in the build and in a jar after it. */
  private static List<String> files(Class<?> ofJar) throws Exception {
    URI origin = ofJar.getProtectionDomain().getCodeSource().getLocation().toURI();
    Path path = Path.of(origin);
    if (Files.isDirectory(path)) {
      return files(path);
    }
    try (FileSystem jar = FileSystems.newFileSystem(path)) {
      return files(jar.getPath("/"));
    }
  }

  private static List<String> files(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .filter(file -> !file.endsWith(".class") && !file.startsWith("META-INF"))
          .toList();
    }
  }
}
