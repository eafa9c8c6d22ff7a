package dev.outbox.brokers.judge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The flights of all relays of a run, and what was killed meanwhile. Used by one thread. */
public final class Flights {
  /** Its messages are deleted in a later transaction. */
  private static final long SETTLES_MILLIS = 2000;

  /** When something was killed, and when it answered again. */
  public record Fault(long from, long until) {}

  /** {@code vain} when it was answered, and not as delivered. */
  private record Flown(long from, long until, boolean vain) {
    boolean meets(Fault fault) {
      return from <= fault.until() && until >= fault.from();
    }
  }

  private record Landing(long at, Set<String> undelivered) {}

  private final Map<String, List<Flown>> flightsOf = new HashMap<>();
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
    Map<String, Landing> landings = new HashMap<>();
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      if (words[0].equals(FlightLog.END) && words.length == 4) {
        Set<String> undelivered = Set.copyOf(List.of(words[3].split(",", -1)));
        landings.put(words[1], new Landing(Long.parseLong(words[2]), undelivered));
      }
    }
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      if (words[0].equals(FlightLog.BEGIN) && words.length == 5) {
        Landing never = new Landing(Long.parseLong(words[3]), Set.of());
        begun(Long.parseLong(words[2]), words[4], landings.getOrDefault(words[1], never));
      }
    }
  }

  private void begun(long from, String ids, Landing landing) {
    for (String id : ids.split(",", -1)) {
      boolean vain = landing.undelivered().contains(id);
      flightsOf
          .computeIfAbsent(id, none -> new ArrayList<>())
          .add(new Flown(from, landing.at() + SETTLES_MILLIS, vain));
    }
  }

  /**
   * True when that many repeats of this message are explained. Each needs a flight of its own,
   * before the last or the only one, that was in progress at a fault. Any other flight before the
   * last must have been in vain, as a probe is of a broker that has just returned: it makes the
   * relay publish again, and explains no repeat.
   */
  public boolean explains(String id, int repeats) {
    List<Flown> flights = flown(id);
    List<Flown> before =
        flights.subList(0, Math.min(flights.size(), Math.max(1, flights.size() - 1)));
    return before.stream().allMatch(each -> each.vain() || metFault(each))
        && before.stream().filter(this::metFault).count() >= repeats;
  }

  private List<Flown> flown(String id) {
    return flightsOf.getOrDefault(id, List.of()).stream()
        .sorted(Comparator.comparingLong(Flown::from))
        .toList();
  }

  private boolean metFault(Flown flight) {
    return faults.stream().anyMatch(flight::meets);
  }

  /** The flights of this message and the faults, in milliseconds since the first flight. */
  public String told(String id) {
    List<Flown> flights = flown(id);
    long first = flights.isEmpty() ? 0 : flights.get(0).from();
    List<String> flown =
        flights.stream()
            .map(
                each ->
                    span(each.from() - first, each.until() - first)
                        + (each.vain() ? " in vain" : ""))
            .toList();
    List<String> failed =
        faults.stream().map(each -> span(each.from() - first, each.until() - first)).toList();
    return "%s: flights %s, faults %s".formatted(id, flown, failed);
  }

  private static String span(long from, long until) {
    return from + ".." + until;
  }
}
