package dev.outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A whole application on PostgreSQL, asked over HTTP. */
@ExtendWith(OutputCaptureExtension.class)
class WebApplicationTest {
  private static final List<String> SENT = new CopyOnWriteArrayList<>();
  private static volatile boolean refusing;

  private static Sandbox sandbox;
  private final HttpClient client = HttpClient.newHttpClient();
  private ConfigurableApplicationContext context;

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Shop.class)
  static class Application {
    @Bean
    Publisher broker() {
      return Publisher.blocking(WebApplicationTest::send)
          .classify(refusal -> Ack.rejected("not today"));
    }

    @Bean
    Login login() {
      return new Login();
    }
  }

  static void send(Envelope envelope) {
    if (refusing) {
      throw new IllegalStateException("not today");
    }
    SENT.add(envelope.payload().text());
  }

  @RestController
  static class Shop {
    private final JdbcTemplate jdbc;
    private final Outbox.Joined outbox;

    Shop(JdbcTemplate jdbc, Outbox.Joined outbox) {
      this.jdbc = jdbc;
      this.outbox = outbox;
    }

    @Transactional
    @PostMapping("/orders/{id}")
    public void place(@PathVariable String id) {
      jdbc.update("insert into orders values (?)", id);
      outbox.enqueue(Message.to("orders").key(id).text(id));
      if (id.startsWith("bad")) {
        throw new IllegalArgumentException(id);
      }
    }
  }

  @BeforeAll
  static void start() {
    sandbox = Database.POSTGRES.sandbox();
    new JdbcTemplate(sandbox.dataSource()).execute("create table orders (id text)");
  }

  @AfterAll
  static void end() {
    sandbox.close();
  }

  @AfterEach
  void close() {
    SENT.clear();
    refusing = false;
    context.close();
  }

  private void run(String... more) {
    Map<String, Object> properties = new TreeMap<>();
    properties.put("spring.datasource.url", sandbox.url());
    properties.put("spring.datasource.username", sandbox.user());
    properties.put("spring.datasource.password", sandbox.password());
    properties.put("spring.main.banner-mode", "off");
    properties.put("server.port", 0);
    properties.put("outbox.schema.initialize", "always");
    properties.put("management.endpoints.web.exposure.include", "health,outbox");
    properties.put("management.endpoint.health.show-details", "always");
    properties.put("management.health.rabbit.enabled", false); // no broker of this machine counts
    for (String each : more) {
      properties.put(each.replaceAll("=.*", ""), each.replaceAll(".*=", ""));
    }
    SpringApplication application = new SpringApplication(Application.class);
    application.setDefaultProperties(properties);
    context = application.run();
  }

  @Test
  void what_a_request_commits_arrives_once_and_what_it_rolls_back_never() throws Exception {
    run();
    assertThat(post("/orders/1", "").statusCode()).isEqualTo(200);
    assertThat(post("/orders/bad", "").statusCode()).isEqualTo(500);
    assertThat(post("/orders/2", "").statusCode()).isEqualTo(200);

    await().untilAsserted(() -> assertThat(SENT).containsExactlyInAnyOrder("1", "2"));
    assertThat(SENT).hasSize(2);
  }

  @Tag("boot-4")
  @Test
  void health_tells_of_the_relay_and_a_degraded_one_stays_up() throws Exception {
    run();
    assertThat(get("/actuator/health").body()).contains("\"outbox\"", "\"health\":\"UP\"");

    refusing = true;
    post("/orders/3", "");

    await()
        .untilAsserted(
            () -> {
              HttpResponse<String> health = get("/actuator/health");
              assertThat(health.body()).contains("\"health\":\"DEGRADED\"", "\"reason\":");
              assertThat(health.statusCode()).as(health.body()).isEqualTo(200);
            });
  }

  @Test
  void the_endpoint_tells_what_waits_and_changes_nothing() throws Exception {
    run();
    refusing = true;
    post("/orders/4", "");

    await()
        .untilAsserted(
            () ->
                assertThat(get("/actuator/outbox").body())
                    .contains("\"relay\":{\"name\":\"relay-", "\"dead\":", "\"orders\":{"));
    assertThat(post("/actuator/outbox/orders", "{\"change\":\"pause\"}").statusCode())
        .isIn(404, 405);
    assertThat(get("/actuator/outbox").body()).contains("\"topics\":{}}");
  }

  @Tag("boot-4")
  @Test
  void the_endpoint_changes_a_topic_once_it_may(CapturedOutput output) throws Exception {
    run("management.endpoint.outbox.access=unrestricted");
    refusing = true;
    post("/orders/5", "");
    await().untilAsserted(() -> assertThat(dead()).isPositive());

    refusing = false;
    assertThat(post("/actuator/outbox/orders", "{\"change\":\"replay\"}").statusCode())
        .isEqualTo(200);
    await().untilAsserted(() -> assertThat(SENT).contains("5"));

    post("/actuator/outbox/orders", "{\"change\":\"pause\"}");
    assertThat(get("/actuator/outbox").body()).contains("\"paused\":true");
    post("/actuator/outbox/orders", "{\"change\":\"resume\"}");
    assertThat(get("/actuator/outbox").body()).doesNotContain("\"paused\":true");
    assertThat(output)
        .contains("actuator: who=anna what=replay dead letters, topic=orders")
        .contains("actuator: who=anna what=pause topic=orders")
        .contains("actuator: who=anna what=resume topic=orders");
  }

  @Tag("boot-4")
  @Test
  void a_change_by_nobody_who_is_known_is_logged_as_one_line_too(CapturedOutput output)
      throws Exception {
    run("management.endpoint.outbox.access=unrestricted");
    HttpRequest.Builder nobody =
        request("/actuator/outbox/two%0Alines%C2%9B2J").header("Content-Type", "application/json");
    client.send(
        nobody.POST(HttpRequest.BodyPublishers.ofString("{\"change\":\"replay\"}")).build(),
        HttpResponse.BodyHandlers.discarding());
    assertThat(output)
        .contains("actuator: who=unknown what=replay dead letters, topic=two lines 2J");
  }

  @Tag("boot-4")
  @Test
  void the_relay_stops_after_the_web_server_in_both_of_its_phases() {
    run();
    Map<String, SmartLifecycle> parts = context.getBeansOfType(SmartLifecycle.class);
    int requests = parts.get("webServerGracefulShutdown").getPhase();
    int server = parts.get("webServerStartStop").getPhase();
    assertThat(parts.get("relayLifecycle").getPhase()).isLessThan(server).isLessThan(requests);
  }

  private static int dead() {
    return new JdbcTemplate(sandbox.dataSource())
        .queryForObject("select count(*) from outbox_dead", Integer.class);
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String path, String json)
      throws IOException, InterruptedException {
    HttpRequest post =
        request(path)
            .headers("Content-Type", "application/json", "X-Login", "anna")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build();
    return client.send(post, HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
  }
}
