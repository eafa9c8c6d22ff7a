package dev.outbox.jdbc.proof;

import dev.outbox.jdbc.proof.Entry.Kind;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * What one relay program did, in a file to which is only added. Every entry is in the system's
 * hands before the call returns, with one write, so that a SIGKILL loses nothing of it.
 *
 * <p>Safe for use by many threads.
 */
final class Journal implements AutoCloseable {
  private final String relay;
  private final FileOutputStream file;

  /** A journal of {@code relay}, added to what is in the file already. */
  Journal(String relay, Path file) {
    this.relay = relay;
    try {
      this.file = new FileOutputStream(file.toFile(), true);
    } catch (IOException e) {
      throw new UncheckedIOException("no journal at " + file, e);
    }
  }

  void add(Kind kind, String... words) {
    add(kind, List.of(words));
  }

  void add(Kind kind, List<String> words) {
    write(Entry.now(kind, relay, words).line());
  }

  /** One entry for each passage, all in one write. */
  void addAll(Kind kind, List<Passage> passages) {
    StringBuilder lines = new StringBuilder();
    passages.forEach(passage -> lines.append(Entry.now(kind, relay, passage.words()).line()));
    write(lines.toString());
  }

  private void write(String lines) {
    try {
      file.write(lines.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("the journal of " + relay + " takes no more", e);
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
