package dev.outbox.jdbc.proof;

import dev.outbox.jdbc.proof.Entry.Kind;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All journals of one proof together, in the order of the machine's clock; read as far as they are
 * written, again and again.
 *
 * <p>Used by one thread.
 */
final class History {
  private static final String JOURNAL = ".journal";
  private final Path folder;
  private final Map<Path, Long> readUpTo = new HashMap<>();
  private final List<Entry> entries = new ArrayList<>();

  /** Of all journals in {@code folder}, now or later. */
  History(Path folder) {
    this.folder = folder;
  }

  /** Where a relay of this name writes its journal. */
  static Path journal(Path folder, String label) {
    return folder.resolve(label + JOURNAL);
  }

  /** Reads what has been written since the last time. */
  History refresh() {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> journals =
          files.filter(file -> file.toString().endsWith(JOURNAL)).sorted().toList();
      for (Path journal : journals) {
        entries.addAll(news(journal));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    entries.sort(Comparator.comparingLong(Entry::nanos));
    return this;
  }

  private List<Entry> news(Path journal) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(journal.toFile(), "r")) {
      long from = readUpTo.getOrDefault(journal, 0L);
      byte[] bytes = new byte[Math.toIntExact(file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      int end = bytes.length;
      while (end > 0 && bytes[end - 1] != '\n') {
        end--;
      }
      readUpTo.put(journal, from + end);
      return new String(bytes, 0, end, StandardCharsets.UTF_8).lines().map(Entry::parse).toList();
    }
  }

  List<Entry> entries() {
    return List.copyOf(entries);
  }

  Stream<Entry> of(Kind kind) {
    return entries.stream().filter(entry -> entry.kind() == kind);
  }

  Stream<Entry> of(Kind kind, String relay) {
    return of(kind).filter(entry -> entry.relay().equals(relay));
  }

  /** How many publishes ended. */
  long published() {
    return of(Kind.ENDED).count();
  }

  /** How many publishes ended after {@code nanos}, by relay. */
  Map<String, Long> sharesSince(long nanos) {
    return of(Kind.ENDED)
        .filter(entry -> entry.nanos() > nanos)
        .collect(Collectors.groupingBy(Entry::relay, Collectors.counting()));
  }

  /** The messages that {@code relay} began to publish and has not ended. */
  List<Passage> inMidPublish(String relay) {
    Predicate<Passage> ended =
        of(Kind.ENDED, relay).map(Entry::passage).collect(Collectors.toSet())::contains;
    return of(Kind.BEGUN, relay).map(Entry::passage).filter(ended.negate()).toList();
  }

  /** The sum of one number of all settles, see {@link Kind#SETTLED}. */
  long settled(int word) {
    return of(Kind.SETTLED).mapToLong(entry -> entry.number(word)).sum();
  }
}
