package dev.outbox.examples.chaos;

import dev.outbox.message.MessageId;
import dev.outbox.testkit.history.Fates;
import dev.outbox.testkit.history.Note;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Subject;
import dev.outbox.testkit.network.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * A real broker behind a network that can be cut.
 *
 * <p>Used by one thread.
 */
record ProxiedBroker(String name, BrokerSource.Server server, TcpProxy network)
    implements AutoCloseable {
  static ProxiedBroker start(String name) throws Exception {
    List<TcpProxy> network = new ArrayList<>();
    BrokerSource.Server server =
        BrokerSource.find()
            .start(
                name,
                port -> {
                  network.add(TcpProxy.to("127.0.0.1", port));
                  return network.get(0).port();
                });
    return new ProxiedBroker(name, server, network.get(0));
  }

  void kill() {
    server.kill();
  }

  void restart() {
    server.restart();
  }

  /** Ends the connections of all relays, and lets none in. */
  void cut() {
    network.cut();
  }

  void restore() {
    network.restore();
  }

  /**
   * These notes, and what a consumer received of it all. It receives at the end, so that nobody
   * knows when a message came, but in which order: what is settled as delivered counts as that if
   * it is received at all.
   */
  List<Note> withReceived(List<Note> notes) throws Exception {
    List<Note> all = new ArrayList<>();
    long at = Long.MIN_VALUE;
    for (Note note : notes) {
      all.add(note.noteKind() == NoteKind.SETTLED ? withoutItsTime(note) : note);
      at = Math.max(at, note.at());
    }
    for (BrokerSource.Received each : server.received()) {
      all.add(new Note(++at, NoteKind.ARRIVED, "consumer", subject(each), null, ""));
    }
    return all;
  }

  private static Note withoutItsTime(Note settled) {
    return settled.text().equals(Fates.DELIVERED)
        ? new Note(
            settled.at(),
            NoteKind.SETTLED,
            settled.who(),
            settled.subject(),
            settled.leaseRight(),
            "delivered, as the broker says")
        : settled;
  }

  private Subject subject(BrokerSource.Received received) {
    CRC32 digest = new CRC32();
    digest.update(received.text().getBytes(StandardCharsets.UTF_8));
    return new Subject(
        MessageId.parse(received.id()), server.topic(), received.key(), digest.getValue());
  }

  @Override
  public void close() {
    network.close();
    server.close();
  }
}
