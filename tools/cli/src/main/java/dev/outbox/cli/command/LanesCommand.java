package dev.outbox.cli.command;

import dev.outbox.Snapshot;
import dev.outbox.cli.Exit;
import dev.outbox.cli.connect.Invocation;
import dev.outbox.cli.text.Printer;
import dev.outbox.console.look.HumanText;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.spi.lane.LiveRelay;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** Which relays live, and which lanes each owns. */
@Command(name = "lanes", description = "Which relays live, and which lanes each owns.")
public final class LanesCommand implements Callable<Integer> {
  private final Invocation invocation;

  public LanesCommand(Invocation invocation) {
    this.invocation = invocation;
  }

  @Override
  public Integer call() {
    JdbcStore store = invocation.store();
    Snapshot snapshot = store.snapshot(1);
    Instant now = store.now();
    invocation.printer().answer(values(snapshot), printer -> print(printer, snapshot, now));
    return Exit.DONE;
  }

  private static Map<String, Object> values(Snapshot snapshot) {
    Map<String, List<Integer>> lanes = new LinkedHashMap<>(Values.lanesByOwner(snapshot));
    List<Integer> free = lanes.getOrDefault("", List.of());
    List<Map<String, @Nullable Object>> relays = new ArrayList<>();
    for (LiveRelay relay : snapshot.relays()) {
      Map<String, @Nullable Object> each = new LinkedHashMap<>();
      each.put("name", relay.name());
      each.put("startedAt", relay.startedAt().toString());
      each.put("sharing", relay.sharing());
      each.put("lanes", lanes.getOrDefault(relay.name(), List.of()));
      relays.add(each);
    }
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("relays", relays);
    values.put("lanesWithoutOwner", free);
    return values;
  }

  private static void print(Printer printer, Snapshot snapshot, Instant now) {
    Map<String, List<Integer>> lanes = Values.lanesByOwner(snapshot);
    List<List<String>> rows = new ArrayList<>();
    for (LiveRelay relay : snapshot.relays()) {
      List<Integer> owned = lanes.getOrDefault(relay.name(), List.of());
      rows.add(
          List.of(
              relay.name(),
              HumanText.age(Duration.between(relay.startedAt(), now)),
              Integer.toString(owned.size()),
              HumanText.ranges(owned),
              relay.sharing() ? "" : "its brokers are down"));
    }
    printer.table(List.of("RELAY", "RUNS FOR", "LANES", "WHICH", ""), rows);
    if (rows.isEmpty()) {
      printer.line("No relay is running.");
    }
    List<Integer> free = lanes.getOrDefault("", List.of());
    if (!free.isEmpty()) {
      printer.line("Without an owner: lanes %s".formatted(HumanText.ranges(free)));
    }
  }
}
