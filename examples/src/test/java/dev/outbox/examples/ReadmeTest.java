package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.examples.readme.TestYourCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The code blocks of the README are the marked regions of compiled code. */
class ReadmeTest {
  private static final Path SOURCES = Path.of("src/main/java/dev/outbox/examples/readme");

  @Test
  void the_first_example_is_the_whole_of_hello() throws Exception {
    assertThat(readme()).contains("```java\n" + Files.readString(HelloTest.FILE) + "```");
  }

  @Test
  void the_test_example_is_compiled_code() throws Exception {
    assertThat(readme()).contains(CodeBlock.of(SOURCES.resolve("TestYourCode.java"), "test"));
  }

  @Test
  void the_test_example_does_what_its_comment_says() throws Exception {
    assertThat(TestYourCode.run()).containsExactly("placed");
  }

  private static String readme() throws Exception {
    return Files.readString(Path.of("../README.md"));
  }
}
