package dev.outbox.jdbc.failover;

import dev.outbox.jdbc.proof.Ledger;
import dev.outbox.jdbc.proof.Passage;
import dev.outbox.message.MessageId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/**
 * What became of the messages that are committed in the history that is left: {@code lost} are
 * neither delivered nor in any table, {@code mistaken} are dead or have attempts for the answer to
 * another one, {@code stuck} are ready though neither they nor others of their key have failed, or
 * parked and never due. {@code again} ids were given again while messages that had them were in
 * flight.
 *
 * <p>Immutable.
 */
record Account(
    int committed,
    List<MessageId> lost,
    List<MessageId> mistaken,
    long again,
    List<MessageId> stuck,
    Duration drained) {

  /** Once the relay is closed. */
  static Account of(DataSource dataSource, Broker broker, long again, Duration drained)
      throws SQLException {
    Contents contents = new Contents(dataSource);
    Map<MessageId, Optional<String>> ready = contents.readyKeys();
    Map<MessageId, Optional<String>> parked = contents.messages("outbox_parked", "attempts");
    Map<MessageId, Optional<String>> dead = contents.messages("outbox_dead", "attempts");
    Set<MessageId> standing = new HashSet<>(ready.keySet());
    standing.addAll(parked.keySet());
    standing.addAll(dead.keySet());
    standing.addAll(contents.messages("outbox_delayed", "lane").keySet());
    List<MessageId> stuck = new ArrayList<>(stuck(ready, broker));
    stuck.addAll(contents.neverDue().keySet());
    List<Passage> committed = new Ledger(dataSource).committed();
    List<MessageId> lost = new ArrayList<>();
    for (Passage each : committed) {
      MessageId id = MessageId.parse(each.id());
      if (!standing.contains(id) && !broker.hasDelivered(id)) {
        lost.add(id);
      }
    }
    return new Account(
        committed.size(), lost, mistaken(parked, dead, broker), again, stuck, drained);
  }

  private static List<MessageId> mistaken(
      Map<MessageId, Optional<String>> parked,
      Map<MessageId, Optional<String>> dead,
      Broker broker) {
    List<MessageId> mistaken = new ArrayList<>();
    parked.forEach(
        (id, attempts) -> {
          if (Long.parseLong(attempts.orElseThrow()) > broker.failures(id)) {
            mistaken.add(id);
          }
        });
    dead.keySet().stream().filter(id -> !broker.hasRejected(id)).forEach(mistaken::add);
    return mistaken;
  }

  /** What is ready though neither it nor another one of its key has failed. */
  static List<MessageId> stuck(Map<MessageId, Optional<String>> ready, Broker broker) {
    return ready.keySet().stream()
        .filter(id -> broker.failures(id) == 0)
        .filter(id -> ready.get(id).filter(broker::hasFailed).isEmpty())
        .toList();
  }

  /** True when no message was lost, and none got another's answer. */
  boolean isWhole() {
    return lost.isEmpty() && mistaken.isEmpty();
  }

  /** What many amount to, in one line. */
  static String summary(List<Account> accounts) {
    return "%d of %d lose messages, %d of %d messages; %d have another's answer, %d are stuck; %d ids given again; drained in at most %d ms"
        .formatted(
            accounts.stream().filter(account -> !account.lost().isEmpty()).count(),
            accounts.size(),
            accounts.stream().mapToInt(account -> account.lost().size()).sum(),
            accounts.stream().mapToInt(Account::committed).sum(),
            accounts.stream().mapToInt(account -> account.mistaken().size()).sum(),
            accounts.stream().mapToInt(account -> account.stuck().size()).sum(),
            accounts.stream().mapToLong(Account::again).sum(),
            accounts.stream().mapToLong(account -> account.drained().toMillis()).max().orElse(0));
  }
}
