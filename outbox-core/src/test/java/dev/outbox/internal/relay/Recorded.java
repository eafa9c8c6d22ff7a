package dev.outbox.internal.relay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What JDK Flight Recorder has of our events. */
public final class Recorded {
  private Recorded() {}

  /** The events {@code name} of this thread while {@code work} ran. */
  public static List<RecordedEvent> of(String name, Runnable work) {
    long thread = Thread.currentThread().getId();
    return recorded(work).stream()
        .filter(event -> event.getEventType().getName().equals(name))
        .filter(event -> event.getThread().getJavaThreadId() == thread)
        .toList();
  }

  private static List<RecordedEvent> recorded(Runnable work) {
    try (Recording recording = new Recording()) {
      recording.enable("dev.outbox.*");
      recording.start();
      work.run();
      Path file = Files.createTempFile("relay", ".jfr");
      recording.dump(file);
      List<RecordedEvent> events = RecordingFile.readAllEvents(file);
      Files.delete(file);
      return events;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
