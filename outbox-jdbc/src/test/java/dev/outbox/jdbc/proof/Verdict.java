package dev.outbox.jdbc.proof;

import dev.outbox.jdbc.proof.Entry.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a history amounts to, measured against what was committed.
 *
 * <p>Immutable. A message is lost when no publish of it ended; a phantom was begun and never
 * committed; a repeat is every begin after the first, told with the relay whose publish it repeats;
 * an overtaking is a message that was begun the first time before an earlier one of its key had
 * ended the first time.
 */
record Verdict(
    int committed,
    List<Passage> lost,
    List<Passage> phantoms,
    List<Repeat> repeats,
    List<String> overtakings) {
  private static final int SAMPLES = 10;

  /** One message published again, after it had been begun before. */
  record Repeat(Passage message, Entry first, Entry again) {}

  /** A time during which a fault lasted, on the machine's monotonic clock. */
  record Window(long begun, long ended) {
    /** Of a message in flight when the fault began, or handed out while it lasted. */
    private boolean explains(Repeat repeat) {
      return repeat.first().nanos() < ended && repeat.again().nanos() > begun;
    }
  }

  static Verdict of(History history, Collection<Passage> committed) {
    Set<Passage> truth = new HashSet<>(committed);
    Map<Passage, Entry> firstBegun = first(history, Kind.BEGUN);
    Map<Passage, Entry> firstEnded = first(history, Kind.ENDED);
    return new Verdict(
        truth.size(),
        truth.stream().filter(message -> !firstEnded.containsKey(message)).toList(),
        firstBegun.keySet().stream().filter(message -> !truth.contains(message)).toList(),
        repeats(history, firstBegun),
        overtakings(firstBegun, firstEnded));
  }

  private static Map<Passage, Entry> first(History history, Kind kind) {
    Map<Passage, Entry> first = new LinkedHashMap<>();
    history.of(kind).forEach(entry -> first.putIfAbsent(entry.passage(), entry));
    return first;
  }

  private static List<Repeat> repeats(History history, Map<Passage, Entry> firstBegun) {
    List<Repeat> repeats = new ArrayList<>();
    history
        .of(Kind.BEGUN)
        .forEach(
            entry -> {
              Entry first = firstBegun.get(entry.passage());
              if (!first.equals(entry)) {
                repeats.add(new Repeat(entry.passage(), first, entry));
              }
            });
    return repeats;
  }

  private static List<String> overtakings(
      Map<Passage, Entry> firstBegun, Map<Passage, Entry> firstEnded) {
    List<String> overtakings = new ArrayList<>();
    Map<String, Entry> latest = new HashMap<>();
    for (Entry begun : firstBegun.values()) {
      Passage message = begun.passage();
      if (message.isOrdered()) {
        Entry before = latest.put(message.key(), begun);
        if (before != null && overtakes(begun, before, firstEnded.get(before.passage()))) {
          overtakings.add(before + " then " + begun);
        }
      }
    }
    return overtakings;
  }

  private static boolean overtakes(Entry begun, Entry before, @Nullable Entry endOfBefore) {
    return before.passage().sequence() >= begun.passage().sequence()
        || endOfBefore == null
        || endOfBefore.nanos() > begun.nanos();
  }

  boolean isClean() {
    return repeats.isEmpty() && isCleanButForRepeats();
  }

  boolean isCleanButForRepeats() {
    return lost.isEmpty() && phantoms.isEmpty() && overtakings.isEmpty();
  }

  /** The messages that were published more than once. */
  Set<String> repeated() {
    return repeats.stream().map(repeat -> repeat.message().id()).collect(Collectors.toSet());
  }

  /** The repeats that none of these faults explains. */
  List<Repeat> repeatsOutside(List<Window> faults) {
    return repeats.stream()
        .filter(repeat -> faults.stream().noneMatch(fault -> fault.explains(repeat)))
        .toList();
  }

  /** The numbers alone. */
  String summary() {
    return "committed=%d lost=%d phantoms=%d repeats=%d overtakings=%d"
        .formatted(committed, lost.size(), phantoms.size(), repeats.size(), overtakings.size());
  }

  @Override
  public String toString() {
    return summary()
        + sample(" lost: ", lost)
        + sample(" phantoms: ", phantoms)
        + sample(" repeats: ", repeats)
        + sample(" overtakings: ", overtakings);
  }

  private static String sample(String title, List<?> all) {
    return all.isEmpty() ? "" : title + all.stream().limit(SAMPLES).toList();
  }
}
