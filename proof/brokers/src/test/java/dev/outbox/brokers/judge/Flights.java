package dev.outbox.brokers.judge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The flights of all relays of a run, and what was killed meanwhile. Used by one thread. */
public final class Flights {
  /** Its messages are deleted in a later transaction. */
  private static final long SETTLES_MILLIS = 2000;

  /** When something was killed, and when it answered again. */
  public record Fault(long from, long until) {}

  private record Interval(long from, long until) {
    boolean meets(Fault fault) {
      return from <= fault.until() && until >= fault.from();
    }
  }

  private final Map<String, List<Interval>> flightsOf = new HashMap<>();
  private final List<Fault> faults;

  private Flights(List<Fault> faults) {
    this.faults = List.copyOf(faults);
  }

  /** Reads what {@link FlightLog} has written, a log for each relay. */
  public static Flights read(List<Path> logs, List<Fault> faults) throws IOException {
    Flights flights = new Flights(faults);
    for (Path log : logs) {
      flights.read(Files.readAllLines(log));
    }
    return flights;
  }

  private void read(List<String> lines) {
    Map<String, Long> landed = new HashMap<>();
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      if (words[0].equals(FlightLog.END) && words.length == 3) {
        landed.put(words[1], Long.parseLong(words[2]));
      }
    }
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      if (words[0].equals(FlightLog.BEGIN) && words.length == 5) {
        long deadline = Long.parseLong(words[3]);
        long end = landed.getOrDefault(words[1], deadline) + SETTLES_MILLIS;
        Interval interval = new Interval(Long.parseLong(words[2]), end);
        for (String id : words[4].split(",", -1)) {
          flightsOf.computeIfAbsent(id, none -> new ArrayList<>()).add(interval);
        }
      }
    }
  }

  /**
   * True when every flight of this message but the last, or its only one, was in progress at a
   * fault.
   */
  public boolean explains(String id) {
    List<Interval> flights = new ArrayList<>(flightsOf.getOrDefault(id, List.of()));
    flights.sort((one, other) -> Long.compare(one.from(), other.from()));
    int before = Math.max(1, flights.size() - 1);
    return !flights.isEmpty()
        && flights.stream()
            .limit(before)
            .allMatch(flight -> faults.stream().anyMatch(flight::meets));
  }

  /** The flights of this message and the faults, in milliseconds since the first flight. */
  public String told(String id) {
    List<Interval> flights = flightsOf.getOrDefault(id, List.of());
    long first = flights.stream().mapToLong(Interval::from).min().orElse(0);
    List<String> flown =
        flights.stream().map(each -> span(each.from() - first, each.until() - first)).toList();
    List<String> failed =
        faults.stream().map(each -> span(each.from() - first, each.until() - first)).toList();
    return "%s: flights %s, faults %s".formatted(id, flown, failed);
  }

  private static String span(long from, long until) {
    return from + ".." + until;
  }
}
