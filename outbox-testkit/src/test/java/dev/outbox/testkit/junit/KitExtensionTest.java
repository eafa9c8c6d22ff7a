package dev.outbox.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.Kit;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.SettableClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

class KitExtensionTest {
  private static final Message MESSAGE = Message.to("mails").text("hello");

  @Nested
  @ExtendWith(KitExtension.class)
  class Declared {
    private final Kit fromTheConstructor;
    private final Kit fromBeforeEach;

    Declared(Kit kit) {
      this.fromTheConstructor = kit;
      this.fromBeforeEach = kit;
    }

    @BeforeEach
    void enqueue(Kit kit) {
      assertThat(kit).isSameAs(fromTheConstructor);
      kit.enqueue(MESSAGE);
    }

    @AfterEach
    void check(Kit kit) {
      assertThat(kit).isSameAs(fromBeforeEach);
    }

    @RepeatedTest(3)
    void every_test_gets_a_kit_of_its_own_and_its_parts(
        Kit kit,
        Outbox outbox,
        ManualRelay relay,
        InMemoryBroker broker,
        InMemoryStore store,
        SettableClock clock) {
      assertThat(store.readyCount()).isEqualTo(1);
      relay.drainNow();
      assertThat(broker.count()).isEqualTo(1);
      assertThat(kit.outbox()).isSameAs(outbox);
      assertThat(kit.clock()).isSameAs(clock);
    }
  }

  @Nested
  class Registered {
    @RegisterExtension static final KitExtension SHARED = KitExtension.of(Kit.builder().lanes(1));

    @Test
    void a_static_extension_has_its_settings(InMemoryStore store) {
      assertThat(store.layout().lanes()).isEqualTo(1);
    }
  }

  @Nested
  class Registered_for_an_instance {
    @RegisterExtension final KitExtension outbox = KitExtension.inMemory();

    @Test
    void an_instance_extension_gives_a_kit_too(Kit kit) {
      kit.enqueue(MESSAGE);
      kit.deliver();
      assertThat(kit.broker().count()).isEqualTo(1);
    }
  }

  @Nested
  class Registered_with_a_maker {
    @RegisterExtension
    final KitExtension outbox =
        KitExtension.of(
            () -> {
              InMemoryStore store = InMemoryStore.create();
              return Kit.builder().over(store, store.dataSource()).build();
            });

    @Test
    void every_test_gets_what_it_makes(Kit kit, OutboxStore store) {
      kit.enqueue(MESSAGE);
      assertThat(kit.contents().ready()).hasSize(1);
      kit.deliver();
      assertThat(kit.broker().count()).isEqualTo(1);
      assertThat(kit.contents().delivered()).isEqualTo(1);
      assertThat(kit.store()).isSameAs(store);
    }
  }
}
