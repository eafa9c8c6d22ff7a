package dev.outbox.examples.docs.javadoc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.examples.docs.javadoc.CompiledExamples.Result;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every public method of a door is shown by an example in the Javadoc of its source file or of its
 * package, and every example compiles. An example is a block of {@code <pre>} around {@code @code};
 * what it does not declare itself comes from {@link Surroundings}.
 */
class JavadocCodeTest {
  private static final List<Door> DOORS = Door.all();

  /** Of all doors, in one call of the compiler, which takes its time to begin. */
  private static final Map<String, Result> RESULTS =
      CompiledExamples.ofAll(DOORS.stream().collect(Collectors.toMap(Door::name, Door::examples)));

  static List<Door> doors() {
    return DOORS;
  }

  @ParameterizedTest
  @MethodSource("doors")
  void each_example_compiles_and_each_public_method_has_one(Door door) {
    Result result = RESULTS.get(door.name());

    assertThat(result.errors()).as("examples that do not compile").isEmpty();
    assertThat(door.methods().stream().filter(method -> !result.shows(method)))
        .as("public methods without an example")
        .isEmpty();
  }

  @Test
  void an_example_that_does_not_compile_is_found_out() {
    assertThat(CompiledExamples.of("Outbox", List.of("outbox.enqueueAll();")).errors())
        .singleElement()
        .asString()
        .contains("enqueueAll");
  }

  @Test
  void a_method_that_no_example_calls_is_found_out() {
    Result result = CompiledExamples.of("Outbox", List.of("Outbox.create(store);"));

    assertThat(result.shows("dev.outbox.Outbox.create")).isTrue();
    assertThat(result.shows("dev.outbox.Outbox.enqueue")).isFalse();
  }

  @Test
  void a_method_that_a_lambda_or_a_class_of_the_example_is_counts_as_shown() {
    Result result =
        CompiledExamples.of(
            "Publisher",
            List.of(
                "RetryPolicy never = (attempts, failing) -> Optional.empty();",
                "RelayListener listener = new RelayListener() {\n"
                    + "  public void fenced(int lane) {}\n};"));

    assertThat(result.shows("dev.outbox.publish.RetryPolicy.delay")).isTrue();
    assertThat(result.shows("dev.outbox.publish.RelayListener.fenced")).isTrue();
  }
}
