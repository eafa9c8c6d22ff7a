package dev.outbox.testkit.history;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Notes of one process in a file to which is only added. Every note is in the system's hands before
 * the call returns, with one write, so that a SIGKILL loses nothing of it. Times are the machine's
 * monotonic clock, which all its processes share.
 *
 * <p>Safe for use by many threads.
 */
public final class Journal implements Notebook, AutoCloseable {
  private static final String EXTENSION = ".journal";

  private final FileOutputStream file;

  private Journal(FileOutputStream file) {
    this.file = file;
  }

  /**
   * Adds to the journal of this name in {@code folder}. A last line without its end, of a process
   * that was killed as it wrote, is removed.
   */
  public static Journal open(Path folder, String name) {
    Path file = folder.resolve(name + EXTENSION);
    try {
      Files.createDirectories(folder);
      if (Files.exists(file)) {
        Files.write(file, wholeLines(file, 0));
      }
      return new Journal(new FileOutputStream(file.toFile(), true));
    } catch (IOException e) {
      throw new UncheckedIOException("no journal at " + file, e);
    }
  }

  /** What is in all journals in {@code folder}; a last line without its end is left out. */
  public static History read(Path folder) {
    return History.of(readOn(folder, new HashMap<>()));
  }

  /**
   * What was written in all journals in {@code folder} beyond {@code readUpTo}, a length for each
   * file, which is then brought up to date. In the order of the files.
   */
  public static List<Note> readOn(Path folder, Map<Path, Long> readUpTo) {
    List<Note> notes = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith(EXTENSION)).toList()) {
        byte[] news = wholeLines(file, readUpTo.getOrDefault(file, 0L));
        readUpTo.merge(file, (long) news.length, Long::sum);
        new String(news, StandardCharsets.UTF_8)
            .lines()
            .map(JournalLine::parse)
            .forEach(notes::add);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return notes;
  }

  private static byte[] wholeLines(Path file, long from) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      in.skipNBytes(from);
      byte[] bytes = in.readAllBytes();
      int end = bytes.length;
      while (end > 0 && bytes[end - 1] != '\n') {
        end--;
      }
      return Arrays.copyOf(bytes, end);
    }
  }

  @Override
  public long now() {
    return System.nanoTime();
  }

  @Override
  public void write(
      NoteKind noteKind,
      String who,
      @Nullable Subject subject,
      @Nullable LeaseRight leaseRight,
      String text) {
    write(JournalLine.of(new Note(now(), noteKind, who, subject, leaseRight, text)));
  }

  @Override
  public void writeAll(
      NoteKind noteKind,
      String who,
      List<Subject> subjects,
      @Nullable LeaseRight leaseRight,
      String text) {
    StringBuilder lines = new StringBuilder();
    for (Subject subject : subjects) {
      lines.append(JournalLine.of(new Note(now(), noteKind, who, subject, leaseRight, text)));
    }
    write(lines.toString());
  }

  /** Adds a note of another time than the present. */
  public void write(Note note) {
    write(JournalLine.of(note));
  }

  private void write(String lines) {
    try {
      file.write(lines.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("the journal takes no more", e);
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
