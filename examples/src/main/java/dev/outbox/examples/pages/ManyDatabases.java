package dev.outbox.examples.pages;

import dev.outbox.Relay;
import dev.outbox.RelayStatus;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.publish.Publisher;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The code of docs/scale.md: a relay for each database, all in one process. */
public final class ManyDatabases implements AutoCloseable {
  private final Map<String, Relay> relays = new ConcurrentHashMap<>();
  private final ExecutorService publishing = Executors.newFixedThreadPool(16);
  private final Publisher publisher;

  public ManyDatabases(Publisher publisher) {
    this.publisher = publisher;
  }

  public void add(String tenant, JdbcStore store) {
    relays.computeIfAbsent(tenant, name -> start(name, store));
  }

  private Relay start(String name, JdbcStore store) {
    return Relay.builder(store, publisher)
        .name(name)
        .executor(publishing) // 16 threads for all, instead of 8 for each
        .poll(Duration.ofSeconds(5)) // an outbox of the same JdbcStore wakes its relay at once
        .start();
  }

  public void remove(String tenant) {
    Relay relay = relays.remove(tenant);
    if (relay != null) {
      relay.close();
    }
  }

  public Map<String, RelayStatus.Health> health() {
    Map<String, RelayStatus.Health> health = new TreeMap<>();
    relays.forEach((tenant, relay) -> health.put(tenant, relay.health()));
    return health;
  }

  @Override
  public void close() {
    relays.values().parallelStream().forEach(Relay::close);
    publishing.shutdown();
  }
}
