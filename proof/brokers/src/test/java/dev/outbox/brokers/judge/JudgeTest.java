package dev.outbox.brokers.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.brokers.TestBroker.Arrived;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The judge of a run sees what it is there to see. */
class JudgeTest {
  private static final AtomicIntegerArray THREE = new AtomicIntegerArray(new int[] {3});

  private static Arrived arrived(String id, int number) {
    return new Arrived(id, "k0", "0-" + number);
  }

  private static Load.Repeats judge(Arrived... arrived) {
    return Load.requireAll(List.of(arrived), THREE);
  }

  @Test
  void a_repeat_before_the_next_of_its_key_is_counted() {
    assertThat(judge(arrived("a", 0), arrived("b", 1), arrived("b", 1), arrived("c", 2)))
        .isEqualTo(new Load.Repeats(3, List.of("b")));
    assertThat(judge(arrived("a", 0), arrived("b", 1), arrived("a", 0), arrived("c", 2)).ids())
        .containsExactly("a");
  }

  @Test
  void what_is_lost_or_overtaken_or_has_another_id_fails() {
    assertThatThrownBy(() -> judge(arrived("a", 0), arrived("b", 1)))
        .hasMessageContaining("messages of key 0");
    assertThatThrownBy(() -> judge(arrived("a", 0), arrived("c", 2), arrived("b", 1)))
        .hasMessageContaining("key 0 after 0");
    assertThatThrownBy(
            () -> judge(arrived("a", 0), arrived("b", 1), arrived("x", 1), arrived("c", 2)))
        .hasMessageContaining("a repeat has the id of the first");
  }

  /** Of each message the flights before its last must have been on their way at the fault. */
  @Test
  void a_repeat_is_explained_by_a_flight_in_progress_at_a_fault_only(@TempDir Path folder)
      throws Exception {
    Path log = folder.resolve("relay.log");
    Files.writeString(
        log,
        """
        relay-1
        flight 1 1000 settled,unsettled
        landed 1 1500\s
        settled 1600 settled
        flight 2 20000 cut
        flight 3 50000 settled,unsettled,cut
        landed 3 50100\s
        settled 50200 settled,unsettled,cut
        """);
    Flights early = killed(log, 1_550);
    assertThat(early.explains("settled", 1)).as("killed before it was settled").isTrue();
    assertThat(early.explains("cut", 1)).isFalse();
    assertThat(early.explains("never seen", 1)).isFalse();
    Flights slow = killed(log, 10_000);
    assertThat(slow.explains("settled", 1)).as("settled before the kill").isFalse();
    assertThat(slow.explains("unsettled", 1)).as("however long it waits for its batch").isTrue();
    assertThat(killed(log, 27_000).explains("cut", 1)).isTrue();
    assertThat(killed(log, 50_050).explains("unsettled", 1)).as("only its last").isFalse();
  }

  private static Flights killed(Path log, long when) throws Exception {
    return Flights.read(List.of(log), List.of(new Flights.Fault(when, when)));
  }

  /** What was on its way at the kill, was then a probe in vain, and was delivered again. */
  @Test
  void a_flight_in_vain_explains_no_repeat_and_hides_none(@TempDir Path folder) throws Exception {
    Path log = folder.resolve("relay.log");
    Files.writeString(
        log,
        """
        flight 1 1000 probe,again
        flight 2 20000 probe
        landed 2 20100 probe
        settled 20200 probe
        flight 3 20500 again
        landed 3 20600\s
        settled 20700 again
        flight 4 40000 probe,again
        landed 4 40100\s
        """);
    Flights flights = Flights.read(List.of(log), List.of(new Flights.Fault(2_000, 15_000)));
    assertThat(flights.explains("probe", 1)).isTrue();
    assertThat(flights.explains("probe", 2)).as("the flight in vain was none").isFalse();
    assertThat(flights.explains("again", 1)).as("delivered in calm, and again").isFalse();
    Flights calm = Flights.read(List.of(log), List.of(new Flights.Fault(30_000, 31_000)));
    assertThat(calm.explains("probe", 1)).as("no kill").isFalse();
    assertThat(flights.told("probe")).contains("19000..19200 in vain,");
  }
}
