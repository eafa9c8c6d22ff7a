package dev.outbox.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.outbox.Relay;
import dev.outbox.Topics;
import dev.outbox.console.serve.ConsoleServer;
import dev.outbox.message.Message;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page in a real browser; its pictures are under {@code target/screenshots}. */
@Tag("proof")
@Timeout(300)
class BrowserTest {
  private static final String EVIL = "<img src=x onerror=\"document.title='owned'\"><b>x</b>";

  private Shop shop;
  private OutboxConsole console;
  private Chromium chromium;

  @BeforeEach
  void open() {
    Chromium.assumeHere();
    shop = new Shop();
    console = OutboxConsole.builder(shop.store).operate().showPayloads().start();
    chromium = Chromium.start();
  }

  @AfterEach
  void close() {
    if (chromium != null) {
      chromium.close();
      console.close();
      shop.close();
    }
  }

  private void everyThing() throws Exception {
    shop.die("mails", 3, "java.net.SocketTimeoutException: Read timed out");
    shop.die(
        EVIL,
        Message.to(EVIL)
            .key(EVIL)
            .header("note", EVIL)
            .json("{\"a\":\"</pre>" + "<script>document.title='owned'</script>\"}"));
    shop.enqueue(Message.to("orders.placed").key("42").json("{}"));
    shop.drainFailing(EVIL);
    shop.enqueue(Message.to("orders.placed").key("43").json("{}"));
    Topics.create(shop.store).pause(EVIL);
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark", "phone", "dark phone"})
  void every_view_is_shown_can_be_read_by_all_and_fits(String look) throws Exception {
    everyThing();
    chromium.looks(look);
    try (Relay relay = Relay.builder(shop.store, shop.broker.publisher()).start()) {
      assertThat(relay.name()).isNotEmpty();
      chromium.open(console.url());
      List<String> views = new ArrayList<>(Chromium.VIEWS);
      views.add("letter?number=1");
      for (String view : views) {
        chromium.go(view);
        chromium.picture(look.replace(' ', '-') + "-" + view.replaceAll("\\W.*", ""));
        assertThat(chromium.faultsForPeople()).as(view).isEmpty();
        assertThat(chromium.overflow())
            .as(view + " is wider than the screen by")
            .isLessThanOrEqualTo(0);
        assertThat(chromium.complaints()).as(view).isEmpty();
      }
    }
  }

  @Test
  void where_no_token_opens_it_nobody_is_asked_for_one() throws Exception {
    try (OutboxConsole ofUsers = OutboxConsole.builder(shop.store).users(any -> null).start()) {
      chromium.open(ofUsers.url());
      chromium.await("Log in to the application");
      assertThat((Long) chromium.run("return document.querySelectorAll('input, button').length"))
          .isZero();
    }
  }

  @Test
  void what_a_message_says_is_text_wherever_it_is_shown() throws Exception {
    everyThing();
    chromium.open(console.url());
    for (String view : List.of("overview", "topics", "held", "dead", "letter?number=4")) {
      chromium.go(view);
      assertThat(chromium.text("main")).as(view).contains("<img src=x onerror");
      assertThat(chromium.title()).as(view).isNotEqualTo("owned");
      assertThat(
              (Long)
                  chromium.run(
                      "return document.querySelectorAll('main img, main b b, main script').length"))
          .isZero();
      assertThat(chromium.complaints()).as(view).isEmpty();
    }
    assertThat(chromium.text("main")).contains("<script>document.title='owned'</script>");
  }

  @Test
  void a_long_error_takes_six_lines_of_a_list() throws Exception {
    shop.enqueue(Message.to("mails").key("7").json("{}"));
    shop.drainFailing("no room ".repeat(110));
    chromium.looks("phone");
    chromium.open(console.url());
    chromium.go("held");
    assertThat(chromium.text("main")).contains("no room");
    assertThat((Long) chromium.run("return document.querySelector('td.text').clientHeight"))
        .isLessThan(220);
  }

  @Test
  void the_token_opens_and_leaves_the_address_and_a_wrong_one_does_not() {
    chromium.open(console.url().resolve("/"));
    chromium.await("Token, as the console showed it");
    chromium.type("input[name=token]", "guess");
    chromium.await("That is not the token.");
    chromium.type("input[name=token]", console.url().getFragment().substring("token=".length()));
    chromium.await("Messages a second");
    chromium.open(console.url());
    chromium.await("Messages a second");
    assertThat(chromium.address()).doesNotContain("token");
  }

  @Test
  void a_topic_is_paused_and_resumed_by_keyboard() throws Exception {
    shop.enqueue(Message.to("mails").key("7").json("{}"));
    chromium.open(console.url());
    chromium.go("topics");
    chromium.press("Pause mails");
    chromium.await("Resume");
    assertThat(Topics.create(shop.store).settings().get("mails").paused()).isTrue();
    chromium.press("Resume mails");
    chromium.await("publishes");
    assertThat(Topics.create(shop.store).settings()).isEmpty();
    chromium.press("Limit mails");
    chromium.type("input[name=perSecond]", "50");
    chromium.await("50 a second");
    assertThat(Topics.create(shop.store).settings().get("mails").perSecond()).isEqualTo(50);
    chromium.press("Limit mails");
    chromium.type("input[name=inFlight]", "4");
    chromium.await("4 in flight");
    assertThat(Topics.create(shop.store).settings().get("mails").perSecond()).isEqualTo(50);
  }

  @Test
  void of_topics_made_of_data_a_page_shows_what_is_set_and_no_more_than_it_can() throws Exception {
    shop.enqueue(
        IntStream.range(1000, 1600)
            .mapToObj(i -> Message.to("customer-" + i).text("x"))
            .toArray(Message[]::new));
    Topics.create(shop.store).pause("customer-1599");
    chromium.open(console.url());
    chromium.go("topics");
    assertThat(chromium.text("main"))
        .contains("500 of 600 topics are shown")
        .contains("customer-1498", "customer-1599")
        .doesNotContain("customer-1499");
    chromium.press("Resume customer-1599");
    chromium.until("it is resumed", () -> Topics.create(shop.store).settings().isEmpty());
  }

  @Test
  void a_topic_that_is_not_listed_is_paused_by_its_name_and_a_doubt_is_told() throws Exception {
    shop.enqueue(Message.to("mails").key("7").json("{}"));
    chromium.looks("phone");
    chromium.open(console.url());
    chromium.go("topics");
    chromium.type("main input[name=topic]", "mial");
    chromium.await("topic mial has no waiting message and no dead letter; check its spelling.");
    chromium.await("There are messages of mails");
    chromium.press("Resume mial");
    chromium.until("it is resumed", () -> Topics.create(shop.store).settings().isEmpty());
    assertThat(chromium.faultsForPeople()).isEmpty();
    assertThat(chromium.overflow()).isLessThanOrEqualTo(0);
    chromium.picture("phone-topics-unlisted");
  }

  @Test
  void dead_letters_are_searched_and_replayed_once_their_number_is_typed() throws Exception {
    shop.die("mails", 120, "Read timed out");
    shop.die("mails", 30, "no such customer");
    chromium.open(console.url());
    chromium.go("dead");
    chromium.type("input[name=error]", "TIMED");
    chromium.await("Replay all that fit");
    assertThat(chromium.address()).contains("error=TIMED");
    chromium.click("Replay all that fit\u2026");
    chromium.await("Dry run: 120 dead letters would be replayed");
    chromium.picture("replay-confirm");
    assertThat(chromium.faultsForPeople()).isEmpty();
    chromium.type("input[name=number]", "119");
    chromium.await("The number is 120, not 119.");
    assertThat(shop.dead()).isEqualTo(150);
    chromium.type("input[name=number]", "120");
    chromium.await("Done: 120 replayed.");
    chromium.picture("replay-done");
    assertThat(shop.dead()).isEqualTo(30);
  }

  @Test
  void a_replay_goes_on_without_its_window_and_is_found_and_stopped_again() throws Exception {
    shop.die("mails", 300, "Read timed out");
    chromium.open(console.url());
    chromium.go("dead");
    chromium.type("input[name=pace]", "10");
    chromium.click("Replay all\u2026");
    chromium.await("Dry run: 300 dead letters would be replayed");
    chromium.type("input[name=number]", "300");
    chromium.await("of 300 replayed\u2026");
    chromium.picture("replay-progress");
    assertThat(chromium.faultsForPeople()).isEmpty();
    chromium.click("Hide");
    chromium.open(console.url());
    chromium.go("dead");
    chromium.press("Show the replay of 300 dead letters");
    chromium.await("of 300 replayed\u2026");
    chromium.click("Stop");
    chromium.await("Stopped: ");
    assertThat(shop.dead()).isBetween(1L, 299L);
    chromium.click("Close");
    chromium.await("the rest is as it was");
    chromium.picture("replay-stopped");
  }

  @Test
  void a_page_in_the_background_costs_the_database_nothing() {
    chromium.open(console.url());
    chromium.await("Messages a second");
    chromium.hide(true);
    chromium.await("paused");
    chromium.until(
        "it rests", () -> shop.dataSource.getHikariPoolMXBean().getActiveConnections() == 0);
    chromium.hide(false);
    chromium.await("warnings");
  }

  @Test
  void a_page_is_live_again_after_a_proxy_has_answered_for_an_application_that_restarts()
      throws Exception {
    AtomicReference<OutboxConsole> behind = new AtomicReference<>(mounted());
    AtomicInteger refused = new AtomicInteger();
    try (ConsoleServer proxy =
        front(
            request -> {
              OutboxConsole console = behind.get();
              refused.addAndGet(console == null ? 1 : 0);
              return console == null ? html(502) : console.answer(request);
            })) {
      assertThat(proxy).isNotNull();
      chromium.await("Messages a second");
      behind.getAndSet(null).close();
      chromium.until("stream and user are refused", () -> refused.get() >= 2);
      behind.set(mounted());
      chromium.until("it is live", () -> chromium.text("#health").equals("warnings"));
    } finally {
      behind.get().close();
    }
  }

  /** What answers there is opened. */
  private ConsoleServer front(Function<ConsoleRequest, ConsoleResponse> answers) {
    HttpServer listening =
        ConsoleServer.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    ConsoleServer front = ConsoleServer.start(listening, answers);
    chromium.open(
        URI.create("http://127.0.0.1:" + listening.getAddress().getPort() + "/#/overview"));
    return front;
  }

  private OutboxConsole mounted() {
    return OutboxConsole.builder(shop.store).operate().users(any -> "anna").mount();
  }

  private static ConsoleResponse html(int status) {
    return new ConsoleResponse(status, Map.of("Content-Type", "text/html"), out -> {}, false);
  }

  /** Such an application answers with its page for the log-in, or in its own words. */
  @Test
  void where_the_login_of_an_application_has_ended_nothing_is_taken_for_done() throws Exception {
    shop.die("mails", 1, "no such customer");
    Topics.create(shop.store).pause("mails");
    AtomicReference<ConsoleResponse> instead = new AtomicReference<>();
    try (OutboxConsole console = mounted();
        ConsoleServer application =
            front(
                request ->
                    Objects.requireNonNullElseGet(instead.get(), () -> console.answer(request)))) {
      assertThat(application).isNotNull();
      chromium.go("letter?number=1");
      instead.set(html(200));
      chromium.click("Discard\u2026");
      chromium.click("Delete for good");
      chromium.await("The console does not answer.");
      assertThat(chromium.text("body")).doesNotContain("It was gone already.");
      instead.set(null);
      chromium.go("topics");
      chromium.run("document.getElementById('said').replaceChildren()");
      instead.set(html(200));
      chromium.press("Resume mails");
      chromium.await("The console does not answer.");
      assertThat(chromium.text("body")).doesNotContain("mails: publishes");
      instead.set(new ConsoleResponse(401, Map.of("WWW-Authenticate", "Bearer"), out -> {}, false));
      chromium.go("held");
      assertThat(chromium.text("main"))
          .contains("The console does not answer.")
          .doesNotContain("Token");
    }
    assertThat(shop.dead()).isEqualTo(1);
    assertThat(Topics.create(shop.store).settings().get("mails").paused()).isTrue();
  }

  @Test
  void who_works_by_keyboard_stays_at_the_button_when_the_view_is_drawn_again() throws Exception {
    shop.enqueue(Message.to("mails").key("7").json("{}"));
    shop.enqueue(Message.to("orders").key("7").json("{}"));
    chromium.open(console.url());
    chromium.go("topics");
    chromium.press("Pause orders");
    chromium.await("paused");
    chromium.awaitFocus("Resume orders");
  }

  @Test
  void who_works_by_keyboard_stays_at_the_link_while_the_numbers_change() throws Exception {
    shop.die("mails", 1, "no such customer");
    chromium.open(console.url());
    chromium.await("show them");
    chromium.run("window.link = document.querySelector('main a'); window.link.focus()");
    chromium.until(
        "it was drawn again", () -> (Boolean) chromium.run("return !window.link.isConnected"));
    assertThat(chromium.run("return document.activeElement.textContent")).isEqualTo("show them");
  }

  @Test
  void ages_are_by_the_clock_of_the_database_not_by_that_of_the_browser() throws Exception {
    shop.die("mails", 1, "no such customer");
    shop.enqueue(Message.to("orders").key("7").json("{}"));
    shop.drainFailing("on fire");
    chromium.clockAhead(Duration.ofHours(5));
    chromium.open(console.url());
    chromium.go("held");
    assertThat(chromium.text("main")).contains("on fire").doesNotContainPattern("[45] h");
    chromium.go("dead");
    assertThat(chromium.text("main")).contains("no such customer").doesNotContainPattern("[45] h");
  }

  @Test
  void a_page_of_another_origin_neither_reads_nor_changes_nor_frames_it() throws Exception {
    chromium.open(console.url());
    chromium.await("Messages a second");
    try (Chromium.Closing evil =
        page("<iframe id=f src='" + console.url().resolve("/") + "'></iframe>")) {
      chromium.open(evil.place());
      for (String attack :
          List.of(
              "fetch(U+'api/me',{credentials:'include'})",
              "fetch(U+'api/topic',{method:'POST',credentials:'include',mode:'no-cors',body:B})",
              "fetch(U+'api/topic',{method:'POST',credentials:'include',headers:{'Content-Type':'application/json','X-Outbox-Console':'1'},body:B})")) {
        Object read =
            chromium.attack(
                attack
                    .replace("U", "'" + console.url().resolve("/") + "'")
                    .replace("B", "'" + "{\"topic\":\"mails\",\"change\":\"pause\"}" + "'"));
        assertThat(read).as(attack).isIn("refused", "opaque");
      }
      chromium.run(
          "const f=document.createElement('form');f.method='POST';f.enctype='text/plain';f.action='"
              + console.url().resolve("/api/topic")
              + "';f.innerHTML='<input"
              + " name=\\'{\"topic\":\"mails\",\"change\":\"pause\",\"x\":\"\\'"
              + " value=\\'\"}\\'>';document.body.append(f);f.submit()");
      chromium.await("another origin");
    }
    assertThat(Topics.create(shop.store).settings()).isEmpty();
  }

  private static Chromium.Closing page(String body) throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] page = ("<!doctype html><title>evil</title>" + body).getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", "text/html");
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    server.start();
    return new Chromium.Closing(server);
  }

  @Test
  void a_console_that_only_shows_offers_no_change() throws Exception {
    shop.die("mails", 2, "no such customer");
    try (OutboxConsole shows = OutboxConsole.builder(shop.store).start()) {
      chromium.open(shows.url());
      chromium.go("dead");
      assertThat(chromium.text("main"))
          .contains("no such customer")
          .doesNotContain("Discard", "Replay all");
      chromium.go("topics");
      assertThat(chromium.text("main")).doesNotContain("Pause");
      chromium.go("letter?number=1");
      assertThat(chromium.text("main"))
          .contains("Payloads are hidden")
          .doesNotContain("Replay\u2026");
      chromium.go("schema");
      assertThat(chromium.text("main"))
          .as("what other processes do with delivered messages it does not know")
          .contains("the only one")
          .doesNotContain("Archive");
    }
  }
}
