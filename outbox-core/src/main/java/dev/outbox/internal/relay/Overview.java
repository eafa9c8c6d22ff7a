package dev.outbox.internal.relay;

import dev.outbox.internal.relay.base.RelayCounters;
import dev.outbox.message.Lane;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A relay seen from outside.
 *
 * <p>Immutable. {@code ids} says what is wrong with them, and is empty when nothing is.
 */
public record Overview(
    Signs signs,
    Set<Lane> lanes,
    Set<Lane> carefulLanes,
    int inMemory,
    int stuckThreads,
    Map<String, Duration> down,
    String ids,
    Counts counts) {

  /**
   * How it is with its threads. {@code storeDownFor} is null while the database answers, {@code
   * purgeFailingFor} while the archive is purged or need not be.
   */
  public record Signs(
      boolean alive,
      boolean stopped,
      @Nullable Duration storeDownFor,
      @Nullable Duration purgeFailingFor) {}

  /** What was counted since the start. */
  public record Counts(
      long delivered,
      long parked,
      long died,
      long missing,
      long fenced,
      long ignoredAnswers,
      long foundLate) {}

  public static Overview of(RelayState relayState, Signs signs) {
    RelayCounters relayCounters = relayState.relayCounters;
    RelayCounters.Stand stand = relayCounters.stand();
    return new Overview(
        signs,
        stand.lanes(),
        stand.careful(),
        stand.inMemory(),
        stand.stuck(),
        stand.down(),
        stand.ids(),
        new Counts(
            relayCounters.delivered.sum(),
            relayCounters.parked.sum(),
            relayCounters.died.sum(),
            relayCounters.missing.sum(),
            relayCounters.fenced.sum(),
            relayCounters.ignoredAnswers.sum(),
            relayCounters.foundLate.sum()));
  }
}
