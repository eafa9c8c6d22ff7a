import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Brings sources from the names before 0.1.0 to today's: {@code java Renames.java src}.
 *
 * <p>A type is renamed in files that import it, a method in files that name the library. Read the
 * diff before you commit it: it knows names, not types.
 */
class Renames {
  /** Full names of types, before and after; what has become a nested type is imported as one. */
  private static final String TYPES =
      """
      dev.outbox.Handover dev.outbox.cluster.Handover
      dev.outbox.ReplayPlan dev.outbox.DeadLetters.ReplayPlan
      dev.outbox.Replayed dev.outbox.DeadLetters.Replayed
      dev.outbox.message.Lane dev.outbox.spi.lane.Lane
      dev.outbox.message.LaneHash dev.outbox.spi.lane.LaneHash
      dev.outbox.message.Origin dev.outbox.cluster.Origin
      dev.outbox.publish.Offer dev.outbox.publish.BrokerGuarantees
      dev.outbox.publish.Ordering dev.outbox.publish.Publisher.Ordering
      dev.outbox.store.Claiming dev.outbox.Claiming
      dev.outbox.store.ClusterBeat dev.outbox.spi.cluster.ClusterBeat
      dev.outbox.store.ClusterRoll dev.outbox.spi.cluster.ClusterView
      dev.outbox.store.ClusterStore dev.outbox.spi.cluster.ClusterStore
      dev.outbox.store.Clusters dev.outbox.cluster.Clusters
      dev.outbox.store.DeadFilter dev.outbox.DeadLetters.Filter
      dev.outbox.store.DeadLetter dev.outbox.DeadLetter
      dev.outbox.store.DeadStore dev.outbox.spi.DeadStore
      dev.outbox.store.DeathReason dev.outbox.DeadLetter.Reason
      dev.outbox.store.DedupeKey dev.outbox.spi.DedupeKey
      dev.outbox.store.DedupeStore dev.outbox.spi.DedupeStore
      dev.outbox.store.Fate dev.outbox.spi.settle.Fate
      dev.outbox.store.Finding dev.outbox.OutboxException.Finding
      dev.outbox.store.GivenIds dev.outbox.spi.lane.GivenIds
      dev.outbox.store.HeldKey dev.outbox.spi.lane.HeldKey
      dev.outbox.store.HoldReason dev.outbox.spi.settle.HoldReason
      dev.outbox.store.LaneClaim dev.outbox.spi.lane.LaneClaim
      dev.outbox.store.LaneStore dev.outbox.spi.LaneStore
      dev.outbox.store.Layout dev.outbox.spi.Layout
      dev.outbox.store.Lease dev.outbox.spi.lane.Lease
      dev.outbox.store.LiveRelay dev.outbox.spi.lane.LiveRelay
      dev.outbox.store.Need dev.outbox.spi.Usage
      dev.outbox.store.News dev.outbox.spi.lane.PendingLanes
      dev.outbox.store.OutboxStore dev.outbox.spi.OutboxStore
      dev.outbox.store.Outcome dev.outbox.spi.settle.SettleResult
      dev.outbox.store.Outgoing dev.outbox.spi.settle.NewEnvelope
      dev.outbox.store.Parking dev.outbox.spi.settle.RetryState
      dev.outbox.store.Purged dev.outbox.spi.Purged
      dev.outbox.store.ReceiptStore dev.outbox.spi.ReceiptStore
      dev.outbox.store.RelayRegistry dev.outbox.spi.RelayRegistry
      dev.outbox.store.RowClaim dev.outbox.spi.RowClaim
      dev.outbox.store.RowStore dev.outbox.spi.RowStore
      dev.outbox.store.Settlement dev.outbox.spi.settle.Settlement
      dev.outbox.store.Snapshot dev.outbox.Snapshot
      dev.outbox.store.Standing dev.outbox.cluster.ClusterState
      dev.outbox.store.StoreException dev.outbox.StoreException
      dev.outbox.store.Stored dev.outbox.spi.settle.StoredEnvelope
      dev.outbox.store.Suspect dev.outbox.spi.lane.Suspect
      dev.outbox.store.TopicSetting dev.outbox.Topics.Setting
      dev.outbox.store.TopicStore dev.outbox.spi.TopicStore
      dev.outbox.store.Wakeup dev.outbox.spi.Wakeup
      dev.outbox.store.Writers dev.outbox.spi.lane.OpenTransactions
      dev.outbox.testkit.contract.Oddity dev.outbox.testkit.contract.AwkwardMessage
      dev.outbox.testkit.crash.Fault dev.outbox.testkit.crash.CrashFault
      dev.outbox.testkit.crash.Play dev.outbox.testkit.crash.CrashScenario
      dev.outbox.testkit.crash.Stage dev.outbox.testkit.crash.CrashRun
      dev.outbox.testkit.crash.Strike dev.outbox.testkit.crash.StepFault
      dev.outbox.testkit.crash.World dev.outbox.testkit.crash.TestWorld
      dev.outbox.testkit.history.Remains dev.outbox.testkit.history.Leftovers
      dev.outbox.testkit.history.Tenure dev.outbox.testkit.history.LeaseRight
      dev.outbox.testkit.history.What dev.outbox.testkit.history.NoteKind
      dev.outbox.testkit.schedule.Happening dev.outbox.testkit.schedule.CoveredEvent
      dev.outbox.testkit.schedule.Outcome dev.outbox.testkit.schedule.ScheduleOutcome
      dev.outbox.testkit.schedule.Post dev.outbox.testkit.schedule.RelaySpec
      dev.outbox.testkit.schedule.Worker dev.outbox.testkit.schedule.DrivenRelay
      """;

  /** Methods: what stands before the call, the old name, the new one. */
  private static final String METHODS =
      """
      Schema of builder
      TableResolver over builder
      PostgresWakeup over create
      DeadLetters of create
      Topics of create
      Archive of create
      Handover of create
      JdbiTransactions of create
      Ack unsent notSent
      * inTheAir maxInFlight
      * withInTheAir withInFlight
      * offering withGuarantees
      * isOver shouldStop
      * diedAt deadSince
      """;

  private static final Pattern LIBRARY = Pattern.compile("\\bdev\\.outbox\\.");
  private static final Pattern ENQUEUED_ONCE = Pattern.compile("(Message\\s*\\.to\\([^;]*?)\\.once\\(");

  public static void main(String[] arguments) throws IOException {
    List<Path> sources;
    try (Stream<Path> files = Files.walk(Path.of(arguments.length == 0 ? "src" : arguments[0]))) {
      sources = files.filter(file -> file.toString().matches(".*\\.(java|kt)")).toList();
    }
    for (Path source : sources) {
      String before = Files.readString(source);
      String after = LIBRARY.matcher(before).find() ? renamed(before) : before;
      if (!after.equals(before)) {
        Files.writeString(source, after);
        System.out.println(source);
      }
    }
  }

  private static String renamed(String source) {
    String text = source;
    for (String line : TYPES.strip().split("\\R")) {
      String[] names = line.strip().split(" ");
      boolean imported =
          Pattern.compile("import (static )?" + Pattern.quote(names[0]) + "\\b").matcher(text).find();
      text = text.replaceAll("\\b" + Pattern.quote(names[0]) + "\\b", names[1]);
      if (imported) {
        text = text.replaceAll("(?<![\\w.\"])" + simple(names[0]) + "\\b", simple(names[1]));
      }
    }
    for (String line : METHODS.strip().split("\\R")) {
      String[] names = line.strip().split(" ");
      String before = names[0].equals("*") ? "" : "\\b" + names[0];
      String call = "(" + before + "\\s*\\.)" + names[1] + "\\(";
      text = text.replaceAll(call, "$1" + names[2] + "(");
    }
    Matcher once = ENQUEUED_ONCE.matcher(text);
    return once.replaceAll("$1.dedupeKey(");
  }

  private static String simple(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
