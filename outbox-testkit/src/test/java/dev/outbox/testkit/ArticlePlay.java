package dev.outbox.testkit;

import dev.outbox.testkit.ClusterPlan.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The same plan under the article's protocol: a relay publishes what its own cluster wrote, and
 * whatever is older than the maximum delay by its own clock; then it deletes the row. There are no
 * keys, no parking and no leases here, one row each, and every relay of it is quick.
 */
final class ArticlePlay {
  private static final int LAST = 700;

  private final ClusterPlan plan;
  private final List<Map<Integer, Row>> tables = new ArrayList<>();
  private final Map<Integer, Integer> published = new HashMap<>();
  private final Map<Integer, Deque<Change>> underWay = new HashMap<>();
  private int tick;
  private int lastId;

  private record Row(int id, int origin, int created, int due) {}

  /** A row that was written, or null for one that was deleted. */
  private record Change(int arrives, int id, @Nullable Row row) {}

  ArticlePlay(ClusterPlan plan) {
    this.plan = plan;
    for (int cluster = 0; cluster < plan.clusters(); cluster++) {
      tables.add(new HashMap<>());
    }
  }

  ClusterOutcome run() {
    for (tick = 0; tick < plan.ticks() || (tick < LAST && !isOver()); tick++) {
      for (int cluster = 0; cluster < plan.clusters(); cluster++) {
        step(cluster);
      }
      for (int to = 0; to < plan.clusters(); to++) {
        for (int from = 0; from < plan.clusters(); from++) {
          deliver(from, to);
        }
      }
    }
    int repeats = published.values().stream().mapToInt(times -> times - 1).sum();
    int most = published.values().stream().mapToInt(times -> times).max().orElse(0);
    List<String> wrong = published.size() < lastId ? List.of("lost") : List.of();
    return new ClusterOutcome(plan, lastId, repeats, most, 0, 0, wrong);
  }

  private boolean isOver() {
    return tables.stream().allMatch(Map::isEmpty);
  }

  private boolean is(Kind kind, int cluster) {
    return tick < plan.ticks() && plan.is(kind, tick, cluster);
  }

  private int clock(int cluster) {
    return tick + plan.skew().get(cluster);
  }

  private void step(int cluster) {
    if (is(Kind.KILL, cluster)) {
      return;
    }
    for (ClusterPlan.Write write : plan.writesAt(tick, cluster)) {
      int now = clock(cluster);
      Row row = new Row(++lastId, cluster, now, now + write.delay());
      tables.get(cluster).put(row.id(), row);
      send(cluster, row.id(), row);
    }
    boolean works =
        !is(Kind.RELAY, cluster) && !is(Kind.STALL, cluster) && !is(Kind.BROKER, cluster);
    if (works && !is(Kind.LEAVE, cluster)) {
      publish(cluster);
    }
  }

  private void publish(int cluster) {
    int now = clock(cluster);
    for (Row row : List.copyOf(tables.get(cluster).values())) {
      boolean isOld = row.due() < now - ClusterPlan.DELAY;
      if (row.due() <= now && (row.origin() == cluster || isOld)) {
        published.merge(row.id(), 1, Integer::sum);
        tables.get(cluster).remove(row.id());
        send(cluster, row.id(), null);
      }
    }
  }

  private void send(int from, int id, @Nullable Row row) {
    for (int to = 0; to < plan.clusters(); to++) {
      if (to != from) {
        Deque<Change> queue = queue(from, to);
        int due = tick + plan.lag(tick, from, to);
        int arrives = queue.isEmpty() ? due : Math.max(due, queue.getLast().arrives());
        queue.add(new Change(arrives, id, row));
      }
    }
  }

  private Deque<Change> queue(int from, int to) {
    return underWay.computeIfAbsent(from * plan.clusters() + to, any -> new ArrayDeque<>());
  }

  private void deliver(int from, int to) {
    boolean flows =
        !is(Kind.KILL, from)
            && !is(Kind.KILL, to)
            && (tick >= plan.ticks() || !plan.isCut(tick, from, to));
    Deque<Change> queue = queue(from, to);
    while (flows && !queue.isEmpty() && (queue.peek().arrives() <= tick || tick >= plan.ticks())) {
      Change change = queue.remove();
      if (change.row() == null) {
        tables.get(to).remove(change.id());
      } else {
        tables.get(to).put(change.id(), change.row());
      }
    }
  }
}
