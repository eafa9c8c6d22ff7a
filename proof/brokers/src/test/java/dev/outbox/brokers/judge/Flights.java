package dev.outbox.brokers.judge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The flights of all relays of a run, and what was killed meanwhile. Used by one thread. */
public final class Flights {
  /** When something was killed, and when it answered again. */
  public record Fault(long from, long until) {}

  /**
   * In progress until it was settled or flew again. {@code vain} when it was answered, and not as
   * delivered.
   */
  private record Flown(long from, long until, boolean vain) {
    boolean meets(Fault fault) {
      return from <= fault.until() && until >= fault.from();
    }

    Flown before(Flown next) {
      return new Flown(from, Math.min(until, next.from), vain);
    }
  }

  private final Map<String, List<Flown>> flightsOf = new HashMap<>();
  private final List<Fault> faults;

  private Flights(List<Fault> faults) {
    this.faults = List.copyOf(faults);
  }

  /** Reads what {@link FlightLog} and {@link SettleLog} have written, a log for each relay. */
  public static Flights read(List<Path> logs, List<Fault> faults) throws IOException {
    Flights flights = new Flights(faults);
    for (Path log : logs) {
      flights.read(Files.readAllLines(log));
    }
    return flights;
  }

  private void read(List<String> lines) {
    Map<String, Set<String>> undelivered = new HashMap<>();
    Map<String, NavigableSet<Long>> settled = new HashMap<>();
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      if (words[0].equals(FlightLog.END) && words.length == 4) {
        undelivered.put(words[1], Set.copyOf(List.of(words[3].split(",", -1))));
      } else if (words[0].equals(SettleLog.SETTLED) && words.length == 3) {
        for (String id : words[2].split(",", -1)) {
          settled.computeIfAbsent(id, none -> new TreeSet<>()).add(Long.valueOf(words[1]));
        }
      }
    }
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      if (words[0].equals(FlightLog.BEGIN) && words.length == 4) {
        Set<String> vain = undelivered.getOrDefault(words[1], Set.of());
        for (String id : words[3].split(",", -1)) {
          begun(Long.parseLong(words[2]), id, settled.get(id), vain.contains(id));
        }
      }
    }
  }

  private void begun(long from, String id, @Nullable NavigableSet<Long> settled, boolean vain) {
    Long until = settled == null ? null : settled.ceiling(from);
    flightsOf
        .computeIfAbsent(id, none -> new ArrayList<>())
        .add(new Flown(from, until == null ? Long.MAX_VALUE : until, vain));
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
    List<Flown> flown = new ArrayList<>(flightsOf.getOrDefault(id, List.of()));
    flown.sort(Comparator.comparingLong(Flown::from));
    for (int place = 0; place + 1 < flown.size(); place++) {
      flown.set(place, flown.get(place).before(flown.get(place + 1)));
    }
    return flown;
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
