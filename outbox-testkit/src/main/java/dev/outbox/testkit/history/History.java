package dev.outbox.testkit.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that happened, in order.
 *
 * <pre>{@code
 * Verdict verdict = history.judge(Leftovers.NOTHING);
 * assertThat(verdict.violations()).isEmpty();
 * }</pre>
 *
 * <p>Safe for use by many threads.
 */
public final class History implements Notebook {
  private final LongSupplier clock;
  private final List<Note> notes = new ArrayList<>();
  private long last = Long.MIN_VALUE;

  private History(LongSupplier clock) {
    this.clock = clock;
  }

  /** A history by the machine's monotonic clock, which all its processes share. */
  public static History create() {
    return new History(System::nanoTime);
  }

  /**
   * A history by a clock of the test's own; notes at one time are distinguished by a nanosecond.
   */
  public static History withClock(LongSupplier nanos) {
    return new History(nanos);
  }

  /** What was written down elsewhere, put in order. */
  public static History of(List<Note> notes) {
    History history = create();
    notes.stream().sorted(Comparator.comparingLong(Note::at)).forEach(history.notes::add);
    return history;
  }

  @Override
  public synchronized long now() {
    return Math.max(clock.getAsLong(), last + 1);
  }

  @Override
  public synchronized void write(
      NoteKind noteKind,
      String who,
      @Nullable Subject subject,
      @Nullable LeaseRight leaseRight,
      String text) {
    last = now();
    notes.add(new Note(last, noteKind, who, subject, leaseRight, text));
  }

  /** All notes so far, in order. */
  public synchronized List<Note> notes() {
    return List.copyOf(notes);
  }

  /** The notes of this kind, in order. */
  public Stream<Note> notes(NoteKind noteKind) {
    return notes().stream().filter(note -> note.noteKind() == noteKind);
  }

  /** Judges whether what happened, and what is left in the store, keep the promises. */
  public Verdict judge(Leftovers leftovers) {
    return new Judge(notes(), leftovers).verdict();
  }

  /** The life of one message: its notes, and the faults that those who had it aboard met with. */
  static List<Note> life(List<Note> notes, Subject subject) {
    List<Note> journeys =
        notes.stream()
            .filter(note -> note.isOf(subject) && note.noteKind() == NoteKind.ABOARD)
            .toList();
    return notes.stream()
        .filter(note -> note.isOf(subject) || journeys.stream().anyMatch(note::isTurnIn))
        .toList();
  }
}
