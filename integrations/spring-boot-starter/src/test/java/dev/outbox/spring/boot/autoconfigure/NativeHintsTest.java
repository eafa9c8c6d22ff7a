package dev.outbox.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.jdbc.JdbcStore;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.ExecutableHint;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeHint;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

/** What a native image is told, asserted on a JVM. */
class NativeHintsTest {
  private final RuntimeHints hints = new RuntimeHints();

  NativeHintsTest() {
    new OutboxRuntimeHints().registerHints(hints, getClass().getClassLoader());
  }

  @Test
  void every_file_of_SQL_is_a_resource() throws Exception {
    List<String> files = sqlFiles();

    assertThat(files)
        .contains("dev/outbox/jdbc/sql/common/settle.sql", "dev/outbox/jdbc/ddl/h2/outbox.sql");
    assertThat(files)
        .allMatch(file -> RuntimeHintsPredicates.resource().forResource(file).test(hints));
  }

  @Test
  void virtual_threads_are_found_where_there_are_any() {
    TypeHint executors = hints.reflection().getTypeHint(Executors.class);
    if (Runtime.version().feature() < 21) {
      assertThat(executors).isNull();
      return;
    }
    assertThat(executors.methods())
        .extracting(ExecutableHint::getName)
        .containsExactly("newVirtualThreadPerTaskExecutor");
  }

  /** Of outbox-jdbc, a folder in the build and a jar after it. */
  private static List<String> sqlFiles() throws IOException, URISyntaxException {
    URI origin = JdbcStore.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    Path path = Path.of(origin);
    if (Files.isDirectory(path)) {
      return sqlFiles(path);
    }
    try (FileSystem jar = FileSystems.newFileSystem(path)) {
      return sqlFiles(jar.getPath("/"));
    }
  }

  private static List<String> sqlFiles(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".sql"))
          .map(file -> root.relativize(file).toString())
          .toList();
    }
  }
}
