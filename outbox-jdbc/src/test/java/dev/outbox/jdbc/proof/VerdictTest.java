package dev.outbox.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.jdbc.proof.Journals.Repeat;
import dev.outbox.jdbc.proof.Journals.Window;
import dev.outbox.message.MessageId;
import dev.outbox.testkit.history.Journal;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Verdict;
import dev.outbox.testkit.history.Violation;
import dev.outbox.testkit.history.Violation.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The judge of all proofs finds each wrong, and nothing wrong where nothing is. */
class VerdictTest {
  private static final Passage FIRST = message("k", 1);
  private static final Passage SECOND = message("k", 2);
  private static final Passage OTHER = message("other", 1);

  @TempDir private Path folder;

  private static Passage message(String key, long sequence) {
    return new Passage(MessageId.next().toString(), Passage.TOPIC, key, sequence);
  }

  private Verdict verdict(Passage... committed) {
    return verdict(repeat -> false, committed);
  }

  private Verdict verdict(Predicate<Repeat> explained, Passage... committed) {
    return new Journals(folder).refresh().verdict(List.of(committed), explained);
  }

  /** What is wrong, each with the message that it is about. */
  private static List<String> wrongs(Verdict verdict) {
    return verdict.violations().stream().map(VerdictTest::wrong).toList();
  }

  private static String wrong(Violation violation) {
    return violation.kind() + " " + violation.what().split(" ", -1)[1];
  }

  private static String wrong(Kind kind, Passage message) {
    return kind + " " + message.id();
  }

  private void publish(String relay, Passage message) {
    begin(relay, message);
    end(relay, message);
  }

  private void begin(String relay, Passage message) {
    write(relay, NoteKind.ARRIVING, message);
  }

  private void end(String relay, Passage message) {
    write(relay, NoteKind.ARRIVED, message);
  }

  private void write(String relay, NoteKind kind, Passage message) {
    try (Journal journal = Journal.open(folder, relay)) {
      journal.of(kind, relay, message.subject(), "");
    }
  }

  @Test
  void each_once_and_in_order_is_clean() {
    publish("a", FIRST);
    publish("b", OTHER);
    publish("b", SECOND);
    assertThat(verdict(FIRST, SECOND, OTHER)).matches(Verdict::passes);
  }

  @Test
  void what_was_begun_and_never_ended_is_lost() {
    publish("a", FIRST);
    begin("a", OTHER);
    assertThat(wrongs(verdict(FIRST, SECOND, OTHER)))
        .containsExactlyInAnyOrder(wrong(Kind.LOST, SECOND), wrong(Kind.LOST, OTHER));
  }

  @Test
  void what_was_never_committed_is_a_phantom() {
    publish("a", FIRST);
    begin("a", OTHER);
    assertThat(wrongs(verdict(FIRST))).containsExactly(wrong(Kind.PHANTOM, OTHER));
  }

  @Test
  void what_arrives_with_another_number_or_with_a_key_of_its_own_is_garbled() {
    Passage keyless = message("-", 1);
    publish("a", new Passage(FIRST.id(), Passage.TOPIC, "k", 7));
    publish("a", new Passage(keyless.id(), Passage.TOPIC, "k", 1));
    assertThat(wrongs(verdict(FIRST, keyless)))
        .containsExactly(wrong(Kind.GARBLED, FIRST), wrong(Kind.GARBLED, keyless));
  }

  @Test
  void a_second_begin_is_a_repeat_also_when_the_first_never_ended() {
    begin("a", FIRST);
    publish("b", FIRST);
    assertThat(wrongs(verdict(FIRST))).containsExactly(wrong(Kind.UNEXPLAINED, FIRST));
    assertThat(verdict(this::isOfAThenB, FIRST)).matches(Verdict::passes);
    assertThat(verdict(FIRST).repeats()).isOne();
  }

  private boolean isOfAThenB(Repeat repeat) {
    return repeat.id().equals(FIRST.id())
        && repeat.first().who().equals("a")
        && repeat.again().who().equals("b");
  }

  @Test
  void a_later_message_first_is_an_overtaking() {
    publish("a", SECOND);
    publish("a", FIRST);
    assertThat(wrongs(verdict(FIRST, SECOND))).containsExactly(wrong(Kind.REORDERED, FIRST));
  }

  @Test
  void a_message_begun_before_the_one_ahead_has_ended_is_an_overtaking() {
    begin("a", FIRST);
    begin("b", SECOND);
    end("a", FIRST);
    end("b", SECOND);
    assertThat(wrongs(verdict(FIRST, SECOND))).containsExactly(wrong(Kind.REORDERED, SECOND));
  }

  @Test
  void a_message_ended_before_the_one_ahead_has_is_an_overtaking() {
    begin("a", FIRST);
    publish("b", SECOND);
    end("a", FIRST);
    assertThat(wrongs(verdict(FIRST, SECOND))).containsExactly(wrong(Kind.REORDERED, SECOND));
  }

  @Test
  void a_repeat_of_an_earlier_message_overtakes_nothing() {
    begin("a", FIRST);
    publish("b", FIRST);
    publish("b", SECOND);
    end("a", FIRST);
    assertThat(verdict(repeat -> true, FIRST, SECOND)).matches(Verdict::passes);
  }

  @Test
  void a_fault_explains_only_repeats_that_it_lies_between() {
    publish("a", FIRST);
    long begun = System.nanoTime();
    long ended = System.nanoTime();
    publish("b", FIRST);
    publish("b", SECOND);
    publish("a", SECOND);
    assertThat(wrongs(verdict(new Window(begun, ended)::explains, FIRST, SECOND)))
        .containsExactly(wrong(Kind.UNEXPLAINED, SECOND));
  }

  @Test
  void one_explained_repeat_does_not_explain_the_next() {
    publish("a", FIRST);
    long begun = System.nanoTime();
    publish("b", FIRST);
    publish("c", FIRST);
    long ended = System.nanoTime();
    publish("d", FIRST);
    Window window = new Window(begun, ended);
    assertThat(wrongs(verdict(window::explains, FIRST))).isEmpty();
    assertThat(wrongs(verdict(repeat -> !repeat.again().who().equals("d"), FIRST)))
        .containsExactly(wrong(Kind.UNEXPLAINED, FIRST));
  }

  @Test
  void a_journal_is_read_on_from_where_it_was_and_without_half_a_line() throws IOException {
    Journals journals = new Journals(folder);
    publish("a", FIRST);
    assertThat(journals.refresh().published()).isEqualTo(1);
    Path journal = folder.resolve("a.journal");
    String line = Files.readAllLines(journal).get(1) + "\n";
    Files.writeString(journal, line.substring(0, 20), StandardOpenOption.APPEND);
    assertThat(journals.refresh().published()).isEqualTo(1);
    Files.writeString(journal, line.substring(20), StandardOpenOption.APPEND);
    assertThat(journals.refresh().published()).isEqualTo(2);
  }
}
