package dev.outbox.benchmarks.contender;

import dev.outbox.benchmarks.contender.OutboxInstallation.Enqueuing;
import dev.outbox.benchmarks.watching.Carried;
import dev.outbox.benchmarks.watching.Metered;
import dev.outbox.benchmarks.watching.Traced;
import dev.outbox.servers.Database;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * All contenders by name: ours, and those that the class path brings as services.
 *
 * <p>Stateless.
 */
public final class Contenders {
  private Contenders() {}

  private static Map<String, Contender> all() {
    List<Contender> all =
        new ArrayList<>(
            List.of(
                new BusinessOnly(),
                new RawLanes(),
                new RawRows(),
                new OutboxLanes("outbox", Enqueuing.ADAPTER),
                new OutboxLanes("outbox-connection", Enqueuing.CONNECTION),
                new OutboxLanes("outbox-4-lanes", 4),
                new OutboxApart(),
                new OutboxLanes("outbox-metered", Metered::new),
                new OutboxLanes("outbox-carried", store -> new Carried()),
                new OutboxLanes("outbox-traced", store -> new Traced(false)),
                new OutboxLanes("outbox-only-sampled", store -> new Traced(true)),
                new OutboxRows()));
    ServiceLoader.load(Contender.class).forEach(all::add);
    Map<String, Contender> byName = new LinkedHashMap<>();
    all.forEach(contender -> byName.put(contender.name(), contender));
    return byName;
  }

  /** All that run on {@code database}. */
  public static List<Contender> on(Database database) {
    return all().values().stream().filter(each -> each.runsOn(database)).toList();
  }

  /**
   * The one called {@code name}.
   *
   * @throws IllegalArgumentException when there is none, or it does not run on {@code database}
   */
  public static Contender named(String name, Database database) {
    Map<String, Contender> all = all();
    Contender contender = all.get(name);
    if (contender == null) {
      throw new IllegalArgumentException(
          "contender is %s, it must be one of %s".formatted(name, all.keySet()));
    }
    if (!contender.runsOn(database)) {
      throw new IllegalArgumentException(
          "contender is %s, which does not run on %s".formatted(name, database));
    }
    return contender;
  }
}
