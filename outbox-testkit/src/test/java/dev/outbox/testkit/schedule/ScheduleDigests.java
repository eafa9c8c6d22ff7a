package dev.outbox.testkit.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.testkit.history.Note;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

/**
 * What happens in the schedules of the first seeds, one SHA-256 of the notes for each, against the
 * files under {@code src/test/resources/digests}: code that only moved changes none of them.
 *
 * <p>{@code -Doutbox.digests=write} writes them. Safe for use by many threads.
 */
final class ScheduleDigests {
  private static final int SEEDS = 2_000;
  private static final Path FOLDER = Path.of("src/test/resources/digests");

  private final Map<Long, String> digests = new ConcurrentHashMap<>();
  private final Path file;

  ScheduleDigests(Settings settings) {
    this.file =
        FOLDER.resolve(
            "schedules-%s.txt".formatted(settings.claiming().name().toLowerCase(Locale.ROOT)));
  }

  void add(ScheduleOutcome scheduleOutcome) {
    if (scheduleOutcome.seed() < SEEDS) {
      digests.put(scheduleOutcome.seed(), digest(scheduleOutcome.notes()));
    }
  }

  /** Fails with the first seeds whose notes are others. */
  void assertUnchanged() throws IOException {
    if ("write".equals(System.getProperty("outbox.digests"))) {
      Files.createDirectories(FOLDER);
      Files.write(file, LongStream.range(0, SEEDS).mapToObj(digests::get).toList());
    }
    List<String> reviewed = Files.readAllLines(file);
    assertThat(reviewed).as("%s", file).hasSize(SEEDS);
    List<Long> changed =
        digests.keySet().stream()
            .sorted()
            .filter(seed -> !digests.get(seed).equals(reviewed.get(seed.intValue())))
            .toList();
    assertThat(changed).as("seeds whose notes are not those of %s", file).isEmpty();
  }

  private static String digest(List<Note> notes) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      for (Note note : notes) {
        sha.update((note.at() + " " + note + "\n").getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(sha.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
