package dev.outbox.examples.quickstart;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.testkit.InMemoryBroker;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where relay processes knock: reads their lines, hands the messages to the broker and says what it
 * answers.
 */
final class BrokerDoor {
  private final InMemoryBroker broker;
  private final AtomicInteger refusals = new AtomicInteger();

  BrokerDoor(InMemoryBroker broker) {
    this.broker = broker;
  }

  /** Hands over one message: id, topic, key and payload in Base64. Returns the answer's line. */
  String receive(String line) {
    String[] parts = line.split(" ", 4);
    Payload payload = new Payload("application/json", Base64.getDecoder().decode(parts[3]));
    MessageId id = MessageId.parse(parts[0]);
    try {
      broker.receive(new Envelope(id, parts[1], new Key(parts[2]), Map.of(), payload, null));
      return "OK";
    } catch (Exception e) {
      refusals.incrementAndGet();
      return "NO: " + e.getMessage();
    }
  }

  /** How many messages the broker has accepted, repeats included. */
  int accepted() {
    return broker.count();
  }

  /** How many it has refused. */
  int refusals() {
    return refusals.get();
  }
}
