package dev.outbox.testkit;

import dev.outbox.StoreException;
import dev.outbox.cluster.ClusterState;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.cluster.ClusterBeat;
import dev.outbox.spi.cluster.ClusterBeat.Seen;
import dev.outbox.spi.cluster.ClusterStore;
import dev.outbox.spi.cluster.ClusterView;
import dev.outbox.spi.lane.Lane;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Stores whose clusters do not keep to the rules: mutants that a play must notice. */
final class TamperedClusters {
  private TamperedClusters() {}

  /** Nobody waits for those before it: each cluster takes itself for the first. */
  static OutboxStore withoutRanks(InMemoryStore store) {
    return seeing(
        store,
        (roll, beat) ->
            beat.cluster() == roll.own() || beat.clusterState() != ClusterState.WORKING
                ? beat
                : new ClusterBeat(
                    beat.cluster(),
                    beat.number(),
                    ClusterState.RETURNING,
                    beat.since(),
                    beat.seen(),
                    beat.at(),
                    beat.shape()));
  }

  /** Only what a cluster says itself counts, not what others have heard of it. */
  static OutboxStore withoutHearsay(InMemoryStore store) {
    return with(
        store,
        new Change() {
          @Override
          public void before() {
            forgetHearsay(store.inMemoryTables());
          }

          @Override
          public @Nullable Object answer(ClusterStore real, @Nullable Object answer) {
            return answer;
          }
        });
  }

  /** Something happens before whatever is asked of the clusters. */
  static OutboxStore before(InMemoryStore store, Runnable step) {
    return with(
        store,
        new Change() {
          @Override
          public void before() {
            step.run();
          }

          @Override
          public @Nullable Object answer(ClusterStore real, @Nullable Object answer) {
            return answer;
          }
        });
  }

  /** Whatever is asked of {@code lane} fails; {@code asked} is told the name of every call. */
  static OutboxStore failingAt(InMemoryStore store, Lane lane, Consumer<String> asked) {
    String text = "a statement on lane " + lane + " is given up";
    return failingAt(store, lane, asked, () -> StoreException.slow(text, null));
  }

  /** As {@link #failingAt}, but what is thrown is {@code failure}. */
  static OutboxStore failingAt(
      InMemoryStore store, Lane lane, Consumer<String> asked, Supplier<StoreException> failure) {
    return over(
        store,
        clusters ->
            Proxy.newProxyInstance(
                TamperedClusters.class.getClassLoader(),
                new Class<?>[] {ClusterStore.class},
                (self, method, values) -> {
                  asked.accept(method.getName());
                  if (values != null && List.of(values).contains(lane)) {
                    throw failure.get();
                  }
                  return call(method, clusters, values);
                }));
  }

  private static void forgetHearsay(InMemoryTables inMemoryTables) {
    int own = inMemoryTables.layout.cluster();
    inMemoryTables.beats.replaceAll(
        beat -> {
          Map<Integer, Seen> seen = new HashMap<>(beat.seen());
          seen.keySet().removeIf(cluster -> beat.cluster() != own && cluster != own);
          return new ClusterBeat(
              beat.cluster(),
              beat.number(),
              beat.clusterState(),
              beat.since(),
              seen,
              beat.at(),
              beat.shape());
        });
  }

  private interface View {
    ClusterBeat of(ClusterView roll, ClusterBeat beat);
  }

  private static OutboxStore seeing(InMemoryStore store, View view) {
    return with(
        store,
        (real, answer) -> {
          if (!(answer instanceof ClusterView roll)) {
            return answer;
          }
          Map<Integer, ClusterBeat> beats = new HashMap<>();
          roll.beats().forEach((cluster, beat) -> beats.put(cluster, view.of(roll, beat)));
          return new ClusterView(roll.layout(), beats, roll.now());
        });
  }

  /** Whoever comes back works at once. */
  static OutboxStore withoutWaiting(InMemoryStore store) {
    return with(
        store,
        (real, answer) -> {
          boolean returns =
              answer instanceof ClusterView roll && roll.clusterState() == ClusterState.RETURNING;
          if (returns) {
            real.resume(((ClusterView) answer).since());
          }
          return returns ? real.roll() : answer;
        });
  }

  /** Nobody remembers what was taken over. */
  static OutboxStore withoutNotes(InMemoryStore store) {
    return with(
        store,
        (real, answer) -> {
          store.inMemoryTables().notes.clear();
          return answer;
        });
  }

  private interface Change {
    default void before() {}

    @Nullable Object answer(ClusterStore real, @Nullable Object answer);
  }

  private static OutboxStore with(InMemoryStore store, Change change) {
    return over(store, clusters -> changed((ClusterStore) clusters, change));
  }

  private static OutboxStore over(InMemoryStore store, UnaryOperator<Object> clusters) {
    return proxy(
        OutboxStore.class,
        store,
        "lanes",
        lanes -> proxy(LaneStore.class, lanes, "clusters", clusters));
  }

  private static ClusterStore changed(ClusterStore real, Change change) {
    return (ClusterStore)
        Proxy.newProxyInstance(
            TamperedClusters.class.getClassLoader(),
            new Class<?>[] {ClusterStore.class},
            (self, method, values) -> {
              change.before();
              return change.answer(real, call(method, real, asReal(real, values)));
            });
  }

  /** A decision that waits on what was made up would be refused. */
  private static Object @Nullable [] asReal(ClusterStore real, Object @Nullable [] values) {
    return values == null
        ? null
        : Arrays.stream(values)
            .map(value -> value instanceof ClusterView ? real.roll() : value)
            .toArray();
  }

  private static <T> T proxy(Class<T> type, Object real, String name, UnaryOperator<Object> on) {
    return type.cast(
        Proxy.newProxyInstance(
            TamperedClusters.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, values) -> {
              Object answer = call(method, real, values);
              return method.getName().equals(name)
                  ? on.apply(Objects.requireNonNull(answer))
                  : answer;
            }));
  }

  private static @Nullable Object call(Method method, Object real, Object @Nullable [] values)
      throws Throwable {
    try {
      return method.invoke(real, values);
    } catch (InvocationTargetException e) {
      throw Objects.requireNonNull(e.getCause());
    }
  }
}
