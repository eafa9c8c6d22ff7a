package dev.outbox.benchmarks.workload;

import dev.outbox.benchmarks.databases.Databases;
import dev.outbox.benchmarks.databases.Neighbours;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All workloads by name. Stateless. */
public final class Workloads {
  private static final List<OpenTransaction> SNAPSHOTS =
      List.of(OpenTransaction.SNAPSHOT, OpenTransaction.WRITER, OpenTransaction.ENQUEUE);

  private Workloads() {}

  public static Map<String, Workload> all() {
    Map<String, Workload> all = new TreeMap<>();
    all.put("bytes", new Bytes());
    all.put("databases", new Databases());
    all.put("delayed", new Delayed());
    all.put("backlog", new Backlog());
    all.put("drain", new Drain());
    all.put("enqueue", new Enqueue());
    all.put("everyday", new Everyday());
    all.put("fanin", new FanIn());
    all.put("history", new History());
    all.put("idle", new Idle());
    all.put("latency", new Latency());
    all.put("looks", new Looks());
    all.put("memory", new Memory());
    all.put("neighbours", new Neighbours());
    all.put("parked", new Parked());
    all.put("relays", new Relays());
    all.put("slow", new Slow());
    all.put("snapshot", new Steady(SNAPSHOTS, "outbox"));
    all.put("steady", new Steady(List.of(OpenTransaction.NONE), "raw", "outbox", "outbox-rows"));
    all.put("wakeups", new Wakeups());
    return all;
  }
}
