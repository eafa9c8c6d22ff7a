package dev.outbox.benchmarks.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.benchmarks.workload.Workload;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many databases, at their smallest; a message that is lost or repeated fails the workload. */
class DatabasesTest {
  @Tag("proof")
  @Test
  void databases_are_measured_with_threads_of_their_own_and_shared() throws Exception {
    assertThat(said(new Databases(), "--quick", "--only", "databases=2"))
        .filteredOn(line -> line.contains("MEDIAN"))
        .hasSize(3)
        .allMatch(line -> line.contains("sessions 2.00") && line.contains("p99"));
  }

  @Tag("proof")
  @Test
  void the_neighbours_of_a_database_go_on_whatever_happens_to_it() throws Exception {
    assertThat(said(new Neighbours(), "--quick"))
        .filteredOn(line -> line.startsWith("ratio neighbours"))
        .hasSize(3);
  }

  @Test
  void another_product_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> said(new Databases(), "--db", "h2"))
        .withMessageContaining("postgres only");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> said(new Neighbours(), "--db", "h2"))
        .withMessageContaining("postgres only");
  }

  private static List<String> said(Workload workload, String... options) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Report report =
        new Report(new PrintStream(out, true, StandardCharsets.UTF_8), "neighbours", "");
    workload.run(Setting.of(List.of(options)), report);
    report.tellCompared();
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
