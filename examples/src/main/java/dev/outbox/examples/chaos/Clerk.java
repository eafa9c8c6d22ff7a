package dev.outbox.examples.chaos;

import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Subject;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.zip.CRC32;

/**
 * A thread that writes: each transaction changes an account, enqueues one to five messages and
 * commits, but for some that are rolled back. Messages are noted while the account is locked, so
 * the notes of a key are in the order in which its writers were serialised.
 */
final class Clerk implements Runnable {
  private static final int MOST_MESSAGES = 5;
  private static final int WITHOUT_KEY_OF_100 = 15;
  private static final int ROLLED_BACK_OF_100 = 5;
  private static final int SLOW_OF_100 = 3;
  private static final int SLOWEST_MILLIS = 400;
  private static final int LONGEST_TEXT = 400;

  private final Desk desk;
  private final Quota quota;
  private final Supplier<Duration> rest;
  private final Random dice;

  Clerk(Desk desk, Quota quota, Supplier<Duration> rest, Random dice) {
    this.desk = desk;
    this.quota = quota;
    this.rest = rest;
    this.dice = dice;
  }

  @Override
  public void run() {
    try {
      int messages = quota.take(1 + dice.nextInt(MOST_MESSAGES));
      while (messages > 0) {
        if (!transaction(messages)) {
          quota.giveBack(messages);
        }
        Thread.sleep(rest.get().toMillis());
        messages = quota.take(1 + dice.nextInt(MOST_MESSAGES));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether it was committed. */
  private boolean transaction(int messages) throws InterruptedException {
    List<Subject> written = new ArrayList<>();
    try (Connection connection = desk.business().dataSource().getConnection()) {
      connection.setAutoCommit(false);
      written.addAll(write(connection, messages));
      if (dice.nextInt(100) < SLOW_OF_100) {
        Thread.sleep(dice.nextInt(SLOWEST_MILLIS));
      }
      if (dice.nextInt(100) < ROLLED_BACK_OF_100) {
        connection.rollback();
        note(NoteKind.ROLLED_BACK, written);
        return false;
      }
      connection.commit();
    } catch (SQLException | RuntimeException e) {
      return isCommittedAllTheSame(written);
    }
    note(NoteKind.COMMITTED, written);
    desk.outbox().wake();
    return true;
  }

  private List<Subject> write(Connection connection, int count) throws SQLException {
    String account = Business.account(dice.nextInt(Business.ACCOUNTS));
    desk.business().change(connection, account);
    List<Message> messages = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      String text = account + " " + "x".repeat(dice.nextInt(LONGEST_TEXT));
      texts.add(text);
      messages.add(draft(account).text(text));
    }
    List<MessageId> ids = desk.outbox().enqueue(connection, messages);
    desk.business().record(connection, desk.slot(), account, ids);
    List<Subject> subjects = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      subjects.add(subject(ids.get(number), messages.get(number), texts.get(number)));
    }
    note(NoteKind.ENQUEUED, subjects);
    return subjects;
  }

  private Message.Draft draft(String account) {
    List<String> topics = desk.topics();
    Message.Draft draft = Message.to(topics.get(dice.nextInt(topics.size())));
    return dice.nextInt(100) < WITHOUT_KEY_OF_100 ? draft : draft.key(account);
  }

  private static Subject subject(MessageId id, Message message, String text) {
    CRC32 digest = new CRC32();
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    String key = message.key() == null ? null : message.key().value();
    return new Subject(id, message.topic(), key, digest.getValue());
  }

  private void note(NoteKind noteKind, List<Subject> subjects) {
    desk.journal().writeAll(noteKind, desk.writer(), subjects, null, "");
  }

  /** The answer to a commit may be lost though the commit is not: the database knows. */
  private boolean isCommittedAllTheSame(List<Subject> written) throws InterruptedException {
    if (written.isEmpty()) {
      return false;
    }
    List<MessageId> ids = written.stream().map(Subject::id).toList();
    boolean committed =
        Patience.until("the database answers", () -> desk.business().isCommitted(ids));
    note(committed ? NoteKind.COMMITTED : NoteKind.ROLLED_BACK, written);
    return committed;
  }
}
