package dev.outbox.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.jdbc.proof.Entry.Kind;
import dev.outbox.jdbc.proof.Verdict.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The judge of all proofs finds each wrong, and nothing wrong where nothing is. */
class VerdictTest {
  private static final Passage FIRST = new Passage("id-1", Passage.TOPIC, "k", 1);
  private static final Passage SECOND = new Passage("id-2", Passage.TOPIC, "k", 2);
  private static final Passage OTHER = new Passage("id-3", Passage.TOPIC, "other", 1);

  @TempDir private Path folder;

  private Verdict verdict(Passage... committed) {
    return Verdict.of(new History(folder).refresh(), List.of(committed));
  }

  private void publish(String relay, Passage message) {
    begin(relay, message);
    end(relay, message);
  }

  private void begin(String relay, Passage message) {
    write(relay, Kind.BEGUN, message);
  }

  private void end(String relay, Passage message) {
    write(relay, Kind.ENDED, message);
  }

  private void write(String relay, Kind kind, Passage message) {
    try (Journal journal = new Journal(relay, History.journal(folder, relay))) {
      journal.add(kind, message.words());
    }
  }

  @Test
  void each_once_and_in_order_is_clean() {
    publish("a", FIRST);
    publish("b", OTHER);
    publish("b", SECOND);

    assertThat(verdict(FIRST, SECOND, OTHER)).matches(Verdict::isClean);
  }

  @Test
  void what_was_begun_and_never_ended_is_lost() {
    publish("a", FIRST);
    begin("a", OTHER);

    assertThat(verdict(FIRST, SECOND, OTHER).lost()).containsExactlyInAnyOrder(SECOND, OTHER);
  }

  @Test
  void what_was_never_committed_is_a_phantom() {
    publish("a", FIRST);
    begin("a", OTHER);

    assertThat(verdict(FIRST).phantoms()).containsExactly(OTHER);
  }

  @Test
  void a_second_begin_is_a_repeat_also_when_the_first_never_ended() {
    begin("a", FIRST);
    publish("b", FIRST);

    Verdict verdict = verdict(FIRST);

    assertThat(verdict.repeated()).containsExactly(FIRST.id());
    assertThat(verdict.repeats().get(0).first().relay()).isEqualTo("a");
    assertThat(verdict.repeats().get(0).again().relay()).isEqualTo("b");
    assertThat(verdict).matches(Verdict::isCleanButForRepeats).matches(each -> !each.isClean());
  }

  @Test
  void a_later_message_first_is_an_overtaking() {
    publish("a", SECOND);
    publish("a", FIRST);

    assertThat(verdict(FIRST, SECOND).overtakings()).hasSize(1);
  }

  @Test
  void a_message_begun_before_the_one_ahead_has_ended_is_an_overtaking() {
    begin("a", FIRST);
    publish("b", SECOND);
    end("a", FIRST);

    assertThat(verdict(FIRST, SECOND).overtakings()).hasSize(1);
  }

  @Test
  void a_repeat_of_an_earlier_message_overtakes_nothing() {
    begin("a", FIRST);
    publish("b", FIRST);
    publish("b", SECOND);
    end("a", FIRST);

    assertThat(verdict(FIRST, SECOND)).matches(Verdict::isCleanButForRepeats);
  }

  @Test
  void a_fault_explains_only_repeats_that_it_lies_between() {
    publish("a", FIRST);
    long begun = System.nanoTime();
    long ended = System.nanoTime();
    publish("b", FIRST);
    publish("b", SECOND);
    publish("a", SECOND);

    assertThat(verdict(FIRST, SECOND).repeatsOutside(List.of(new Window(begun, ended))))
        .extracting(Verdict.Repeat::message)
        .containsExactly(SECOND);
  }

  @Test
  void a_journal_is_read_on_from_where_it_was_and_without_half_a_line() throws IOException {
    History history = new History(folder);
    publish("a", FIRST);
    assertThat(history.refresh().published()).isEqualTo(1);
    String line = Entry.now(Kind.ENDED, "a", SECOND.words()).line();
    Path journal = History.journal(folder, "a");

    Files.writeString(journal, line.substring(0, 20), StandardOpenOption.APPEND);
    assertThat(history.refresh().published()).isEqualTo(1);
    Files.writeString(journal, line.substring(20), StandardOpenOption.APPEND);
    assertThat(history.refresh().published()).isEqualTo(2);
  }
}
