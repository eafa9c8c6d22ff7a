package dev.outbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outbox.Topics;
import dev.outbox.cli.text.Terminal;
import dev.outbox.cli.text.Terminal.Size;
import dev.outbox.servers.Database;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Help.Ansi;

/** The live screen, and its lines where nobody looks; on H2, the proof has PostgreSQL. */
@Timeout(120)
class WatchTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final ExecutorService threads = Executors.newSingleThreadExecutor();
  private Shop shop;

  Database database() {
    return Database.H2;
  }

  @BeforeEach
  void open() {
    shop = new Shop(database());
  }

  @AfterEach
  void close() throws Exception {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    shop.close();
  }

  private Future<Integer> watch(String times) {
    Terminal terminal =
        new Terminal(new PrintWriter(out), new PrintWriter(err), shop.variables(), Ansi.OFF, null);
    return threads.submit(() -> Main.run(terminal, "watch", "--every", "1s", "--times", times));
  }

  private void await(BooleanSupplier seen) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!seen.getAsBoolean()) {
      assertThat(System.nanoTime()).as("30 s have passed: %s %s", out, err).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  @Test
  void a_line_for_each_look_where_nobody_looks() throws Exception {
    shop.enqueue("mails", "7", 2);
    Called called = shop.call("watch", "--every", "1s", "--times", "2");
    assertThat(called.out().lines()).hasSize(2).allMatch(line -> line.contains("ready 2"));
    assertThat(called.out()).contains("in 0.0/s out 0.0/s");
    assertThat(shop.call("watch", "--every", "0s").err()).contains("the minimum is 1s");
    assertThat(shop.call("watch", "--times", "0").err()).contains("the minimum is 1");
  }

  @Test
  void a_line_of_json_for_each_look_of_a_script() throws Exception {
    Called called = shop.call("watch", "--every", "1s", "--times", "2", "--json");
    List<String> lines = called.out().lines().toList();
    assertThat(lines).hasSize(2);
    for (String line : lines) {
      assertThat(new ObjectMapper().readTree(line).get("ready").asInt()).isZero();
    }
  }

  @Test
  void it_ends_when_nobody_reads_it_any_more() throws Exception {
    Future<Called> called =
        threads.submit(() -> Called.unread(shop.variables(), "watch", "--every", "1s"));
    Called ended = called.get(30, TimeUnit.SECONDS);
    assertThat(ended.exit()).isEqualTo(Exit.FOUND);
    assertThat(ended.err()).isEmpty();
  }

  @Test
  void a_screen_where_a_person_looks() throws Exception {
    shop.enqueue("mails", "7", 2);
    Called seen = shop.callWith("", "watch", "--times", "1");
    assertThat(seen.out()).contains("\u001B[?1049h").endsWith("\u001B[?1049l").contains("mails");
  }

  /** The last picture, without colours. */
  private static List<String> picture(String out) {
    String last = out.substring(out.lastIndexOf("\u001B[2J") + 4);
    return last.replaceAll("\u001B\\[[?0-9;]*[a-zA-Z]", "").lines().toList();
  }

  @ParameterizedTest
  @CsvSource({"80, 24", "100, 30", "40, 12"})
  void a_screen_is_no_larger_than_the_terminal(int columns, int lines) throws Exception {
    for (int i = 10; i < 40; i++) {
      String topic = "a.rather.long.name.of.a.topic.of.an.enterprise.v" + i;
      shop.enqueue(topic, "東京", 1);
      Topics.create(shop.store).limit(topic, 100);
      Topics.create(shop.store).cap(topic, 4);
      Topics.create(shop.store).pause(topic);
    }
    Size size = new Size(columns, lines);
    Called seen = Called.seen(size, shop.variables(), "watch", "--times", "1");
    List<String> picture = picture(seen.out());
    assertThat(picture).hasSizeLessThan(lines).allMatch(line -> line.length() <= columns);
    assertThat(picture.get(0)).startsWith("outbox");
    assertThat(String.join("\n", picture))
        .contains("No relay is running")
        .containsPattern("in +\\?")
        .contains("ready 30")
        .containsPattern("more troubles?: outbox status");
    if (lines >= 24) {
      assertThat(String.join("\n", picture))
          .containsPattern("a\\.rather.*\u2026.*\\.v10 +1 ")
          .contains("paused, 100/s, 4")
          .containsPattern("[0-9]+ more topics: outbox topics")
          .contains("lanes 0-31");
    }
  }

  @Test
  void numbers_that_are_old_are_called_old() throws Exception {
    Terminal terminal =
        new Terminal(
            new PrintWriter(out),
            new PrintWriter(err),
            shop.variables(),
            Ansi.OFF,
            new Called.Typing("", new Size(100, 30)));
    Future<Integer> exit =
        threads.submit(() -> Main.run(terminal, "watch", "--every", "1s", "--times", "2"));
    await(() -> out.toString().contains("ready 0"));
    shop.run("ALTER TABLE outbox RENAME TO outbox_away");
    await(() -> out.toString().contains("The numbers are old"));
    assertThat(String.join("\n", picture(out.toString())))
        .containsPattern("(?s)this look failed, the next one is in 1 s: .*not there")
        .containsPattern("The numbers are old: they are of [0-9:]+, [0-9]+ m?s ago")
        .contains("ready 0");
    assertThat(exit.get(60, TimeUnit.SECONDS)).isEqualTo(Exit.DATABASE);
    assertThat(out.toString()).endsWith("\u001B[?1049l");
    assertThat(err.toString()).as("what is left once the screen is gone").contains("not there");
  }

  @Test
  void it_goes_on_after_a_look_that_failed() throws Exception {
    Future<Integer> exit = watch("30");
    await(() -> out.toString().contains("ready 0"));
    shop.run("ALTER TABLE outbox RENAME TO outbox_away");
    await(() -> err.toString().contains("this look failed"));
    shop.run("ALTER TABLE outbox_away RENAME TO outbox");
    shop.enqueue("mails", "7", 2);
    await(() -> out.toString().contains("ready 2"));
    assertThat(exit.isDone()).isFalse();
  }

  @Test
  void a_look_that_failed_is_none_of_those_that_were_asked_for() throws Exception {
    Future<Integer> exit = watch("3");
    await(() -> out.toString().contains("ready 0"));
    shop.run("ALTER TABLE outbox RENAME TO outbox_away");
    await(() -> err.toString().contains("this look failed"));
    shop.run("ALTER TABLE outbox_away RENAME TO outbox");
    assertThat(exit.get(60, TimeUnit.SECONDS)).isEqualTo(Exit.DONE);
    assertThat(out.toString().lines()).hasSize(3);
  }

  @Test
  void as_many_failures_in_a_row_as_looks_were_asked_for_end_it() throws Exception {
    Future<Integer> exit = watch("2");
    await(() -> out.toString().contains("ready 0"));
    shop.run("ALTER TABLE outbox RENAME TO outbox_away");
    assertThat(exit.get(60, TimeUnit.SECONDS)).isEqualTo(Exit.DATABASE);
    assertThat(err.toString().lines()).hasSize(2);
  }
}
