package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.examples.security.EncryptingCodec.Keys;
import dev.outbox.examples.security.Erasing;
import dev.outbox.examples.security.Erasing.AddressChanged;
import dev.outbox.message.Payload;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.ManualRelay;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** Runs the code of docs/security.md. */
class SecurityPageTest {
  private final Map<String, SecretKey> ofPersons =
      new HashMap<>(Map.of("ann", new SecretKeySpec(new byte[32], "AES")));

  @Test
  void a_payload_is_read_with_its_persons_key_and_never_without() throws Exception {
    AddressChanged changed = new AddressChanged("ann", "Elm Street 5");
    Payload payload = published(changed);

    assertThat(new String(payload.bytes(), StandardCharsets.ISO_8859_1)).doesNotContain("Elm");
    assertThat(Erasing.read(keys(), payload.contentType(), payload.bytes())).isEqualTo(changed);

    ofPersons.remove("ann");
    assertThatThrownBy(() -> Erasing.read(keys(), payload.contentType(), payload.bytes()))
        .hasMessage("ann was erased");
  }

  @Test
  void a_payload_that_was_changed_is_refused() throws Exception {
    Payload payload = published(new AddressChanged("ann", "Elm Street 5"));
    payload.bytes()[payload.bytes().length - 1] ^= 1;

    assertThatThrownBy(() -> Erasing.read(keys(), payload.contentType(), payload.bytes()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("cannot decrypt");
  }

  private Payload published(AddressChanged changed) throws Exception {
    InMemoryStore store = InMemoryStore.create();
    InMemoryBroker broker = InMemoryBroker.create();
    try (Connection connection = store.begin()) {
      Erasing.enqueue(store, keys(), connection, changed);
      connection.commit();
    }
    try (ManualRelay relay = ManualRelay.of(store, broker.publisher())) {
      relay.drainNow();
    }
    return broker.messages().get(0).envelope().payload();
  }

  private Keys keys() {
    return person -> {
      SecretKey key = ofPersons.get(person);
      if (key == null) {
        throw new IllegalStateException(person + " was erased");
      }
      return key;
    };
  }
}
