package dev.outbox.internal.relay.settle;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.ErrorText;
import dev.outbox.internal.relay.base.KeptLines;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.lane.LaneRun;
import dev.outbox.internal.text.ShortText;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to the operator which ends of batches the database refuses: a line for each new reason,
 * then at most one a minute, and one when it is over.
 *
 * <p>Used by the loop thread only.
 */
final class RefusedSettles {
  private static final Logger log = LoggerFactory.getLogger(RefusedSettles.class);

  private final LeaseKeeper keeper;
  private final String relay;
  private final List<Refusal> ofThisTurn = new ArrayList<>();
  private KeptLines lines = new KeptLines();
  private Ticker.@Nullable Moment began;
  private int count;

  RefusedSettles(LeaseKeeper keeper, String relay) {
    this.keeper = keeper;
    this.relay = relay;
  }

  private record Refusal(Lane lane, int messages, Duration rest, String reason) {
    /** Reasons that differ in numbers only are alike: in ids, counts, lists of parameters. */
    String kind() {
      return reason.replaceAll("\\S*\\d\\S*", "").replaceAll("\\P{L}+", " ");
    }
  }

  /** The database refused this end, which is offered again after a {@code rest}. */
  void refused(Settlement settlement, Duration rest, StoreException why, Ticker.Moment now) {
    Lane lane = settlement.lease().lane();
    log.debug("relay={} could not save the results of lane={}", relay, lane, why);
    began = began == null ? now : began;
    lines.begin(now);
    count++;
    ofThisTurn.add(new Refusal(lane, settlement.fates().size(), rest, reason(why)));
  }

  /** Which lanes' ends are not written, in words; empty when all are. */
  String waits() {
    List<Integer> refused =
        keeper.runs().those(LaneRun::wasRefusedByItself).each(RefusedSettles::number);
    List<Integer> locked = keeper.runs().those(LaneRun::isLocked).each(RefusedSettles::number);
    List<Integer> waiting = refused.isEmpty() ? locked : refused;
    return waiting.isEmpty()
        ? ""
        : "waits to save the results of lanes %s, see the log".formatted(ShortText.ranges(waiting));
  }

  private static int number(LaneRun run) {
    return run.lane().number();
  }

  private static String reason(StoreException why) {
    return ErrorText.cut(ShortText.oneLine(String.valueOf(why.getMessage())));
  }

  /** Reports what was refused in this turn, what was kept back, and whether it is over. */
  void tell(boolean atLast, Ticker.Moment now) {
    if (began == null) {
      return;
    }
    if (atLast) {
      tellUnsaved();
    } else {
      ofThisTurn.stream()
          .collect(Collectors.groupingBy(Refusal::kind, LinkedHashMap::new, Collectors.toList()))
          .forEach(this::tell);
      tellKept(now);
    }
    ofThisTurn.clear();
    if (!keeper.runs().any(LaneRun::wasRefusedByItself)) {
      log.info(
          "relay={} no refused results are left after {}, {} refusals",
          relay,
          Durations.text(now.since(began)),
          count);
      began = null;
      count = 0;
      lines = new KeptLines();
    }
  }

  private void tell(String kind, List<Refusal> alike) {
    Duration rest = alike.stream().map(Refusal::rest).max(Comparator.naturalOrder()).orElseThrow();
    String line =
        "next attempt within %s; until one succeeds, a restart or takeover publishes them again: %s"
            .formatted(Durations.text(rest), alike.get(0).reason());
    if (lines.isFirst(kind)) {
      log.error(
          "relay={} could not save the results of {} messages of lanes {}, {}",
          relay,
          messages(alike),
          lanes(alike),
          line);
    } else {
      alike.forEach(each -> lines.keep(line));
    }
  }

  private void tellKept(Ticker.Moment now) {
    int more = lines.isTimeToTell(now) ? lines.take() : 0;
    if (more > 0) {
      log.error(
          "relay={} {} more attempts to save the results of lanes {} were refused, {}",
          relay,
          more,
          ShortText.ranges(
              keeper.runs().those(LaneRun::wasRefusedByItself).each(RefusedSettles::number)),
          lines.last());
    }
  }

  private void tellUnsaved() {
    if (!ofThisTurn.isEmpty()) {
      log.warn(
          "relay={} closes although the results of {} messages of lanes {} are not saved; they are published again: {}",
          relay,
          messages(ofThisTurn),
          lanes(ofThisTurn),
          ofThisTurn.get(0).reason());
    }
  }

  private static int messages(List<Refusal> refusals) {
    return refusals.stream().mapToInt(Refusal::messages).sum();
  }

  private static String lanes(List<Refusal> refusals) {
    return ShortText.ranges(refusals.stream().map(each -> each.lane().number()).toList());
  }
}
