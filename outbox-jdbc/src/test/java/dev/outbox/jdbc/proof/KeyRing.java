package dev.outbox.jdbc.proof;

import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The keys that writers share, each with its lock and its next number.
 *
 * <p>Safe for use by many threads.
 */
final class KeyRing {
  private final int keys;
  private final List<Slot> slots = new ArrayList<>();

  /** One key; a lock that another thread may open, since nobody needs to enter twice. */
  private static final class Slot {
    private final String key;
    private final boolean shared;
    private final Semaphore lock = new Semaphore(1);
    private final AtomicLong last = new AtomicLong();

    private Slot(String key, boolean shared) {
      this.key = key;
      this.shared = shared;
    }

    private boolean take() {
      return shared || lock.tryAcquire();
    }

    private void giveBack() {
      if (!shared) {
        lock.release();
      }
    }
  }

  /** That many keys; with none, the messages are without a key and nobody waits for anybody. */
  KeyRing(int keys) {
    this.keys = keys;
    for (int number = 0; number < Math.max(1, keys); number++) {
      slots.add(new Slot(Passage.key(number, keys), keys == 0));
    }
  }

  /**
   * Takes up to {@code wanted} keys that nobody else has and numbers that many messages of them, in
   * turn. A number is used once, whatever becomes of its transaction.
   */
  Grip take(int wanted, int messages, Random dice) {
    List<Slot> taken = new ArrayList<>();
    int most = Math.min(wanted, Math.max(1, keys / 2));
    while (taken.size() < most) {
      Slot slot = slots.get(dice.nextInt(slots.size()));
      if (slot.take()) {
        taken.add(slot);
      } else if (taken.isEmpty()) {
        Thread.onSpinWait();
      } else {
        break;
      }
    }
    return new Grip(taken, messages);
  }

  /** Some keys in one writer's hands, and the messages numbered under them. */
  static final class Grip implements AutoCloseable {
    private final List<Slot> slots;
    private final List<Slot> keys = new ArrayList<>();
    private final List<Long> numbers = new ArrayList<>();

    private Grip(List<Slot> slots, int messages) {
      this.slots = slots;
      for (int place = 0; place < messages; place++) {
        Slot slot = slots.get(place % slots.size());
        keys.add(slot);
        numbers.add(slot.last.incrementAndGet());
      }
    }

    List<Message> messages() {
      List<Message> messages = new ArrayList<>();
      for (int place = 0; place < keys.size(); place++) {
        messages.add(Passage.message(keys.get(place).key, numbers.get(place)));
      }
      return messages;
    }

    /** The messages with the ids that the outbox gave them. */
    List<Passage> passages(List<MessageId> ids) {
      List<Passage> passages = new ArrayList<>();
      for (int place = 0; place < keys.size(); place++) {
        passages.add(
            new Passage(
                ids.get(place).toString(), Passage.TOPIC, keys.get(place).key, numbers.get(place)));
      }
      return passages;
    }

    @Override
    public void close() {
      slots.forEach(Slot::giveBack);
    }
  }
}
