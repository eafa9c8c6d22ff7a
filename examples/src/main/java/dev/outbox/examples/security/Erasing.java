package dev.outbox.examples.security;

import dev.outbox.Outbox;
import dev.outbox.examples.security.EncryptingCodec.Keys;
import dev.outbox.examples.security.EncryptingCodec.Personal;
import dev.outbox.json.JacksonCodec;
import dev.outbox.message.Message;
import dev.outbox.message.Payload;
import dev.outbox.message.PayloadCodec;
import dev.outbox.spi.OutboxStore;
import java.sql.Connection;

/** How the codec of docs/security.md is used. */
public final class Erasing {
  private Erasing() {}

  /** An event about a person. */
  public record AddressChanged(String person, String street) implements Personal {}

  /** Enqueues an event so that only its person's key can read it. */
  public static void enqueue(
      OutboxStore store, Keys keys, Connection connection, AddressChanged changed) {
    PayloadCodec codec = new EncryptingCodec(JacksonCodec.create(), keys);
    Outbox outbox = Outbox.builder(store).codec(codec).build();
    outbox.enqueue(connection, Message.to("addresses.changed").payload(changed));
  }

  /** What the consumer reads. */
  public static AddressChanged read(Keys keys, String contentType, byte[] bytes) {
    PayloadCodec codec = new EncryptingCodec(JacksonCodec.create(), keys);
    AddressChanged changed = codec.decode(new Payload(contentType, bytes), AddressChanged.class);
    return changed;
  }
}
