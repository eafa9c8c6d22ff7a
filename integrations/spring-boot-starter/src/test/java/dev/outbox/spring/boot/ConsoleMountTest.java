package dev.outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.Topics;
import dev.outbox.console.OutboxConsole;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/** The console in the web server of an application, for those whom it has logged in. */
@Timeout(60)
class ConsoleMountTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private ConfigurableApplicationContext context;

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    Publisher broker() {
      return Publisher.blocking(
          envelope -> {
            throw new ConnectException("the broker is down");
          });
    }

    @Bean
    Login login() {
      return new Login();
    }
  }

  private void run(String... more) {
    Map<String, Object> properties = new TreeMap<>();
    properties.put("spring.datasource.url", "jdbc:h2:mem:" + UUID.randomUUID());
    properties.put("spring.main.banner-mode", "off");
    properties.put("server.port", 0);
    properties.put("server.shutdown", "graceful");
    properties.put("outbox.relay.enabled", false);
    for (String each : more) {
      String[] parts = each.split("=", 2);
      properties.put(parts[0], parts[1]);
    }
    SpringApplication application = new SpringApplication(Application.class);
    application.setDefaultProperties(properties);
    context = application.run();
  }

  @AfterEach
  void close() {
    context.close();
  }

  private HttpRequest.Builder at(String path) {
    String port = context.getEnvironment().getProperty("local.server.port");
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
  }

  private HttpResponse<String> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request = at(path);
    return client.send(
        (headers.length == 0 ? request : request.headers(headers)).build(),
        BodyHandlers.ofString());
  }

  private HttpResponse<String> pause() throws Exception {
    return client.send(
        at("/outbox/api/topic")
            .headers("X-Login", "anna", "X-Outbox-Console", "1", "Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"topic\":\"mails\",\"change\":\"pause\"}"))
            .build(),
        BodyHandlers.ofString());
  }

  @Tag("boot-4")
  @Test
  void who_is_logged_in_sees_it_and_nobody_else() throws Exception {
    run("outbox.console.enabled=true");
    HttpResponse<String> moved = get("/outbox");
    assertThat(moved.statusCode()).isEqualTo(302);
    assertThat(moved.headers().firstValue("Location").orElse("")).endsWith("/outbox/");
    assertThat(get("/outbox/").body()).contains("<title>Outbox console</title>");
    assertThat(get("/outbox/app.js").statusCode()).isEqualTo(200);
    assertThat(get("/outbox/api/me").statusCode()).isEqualTo(401);
    assertThat(get("/outbox/api/me", "x-outbox-user", "root").statusCode())
        .as("a name that the client made up")
        .isEqualTo(401);
    assertThat(get("/outbox/api/me", "X-Login", "anna").body())
        .contains("\"who\":\"anna\"", "\"operate\":false", "\"payloads\":false");
    assertThat(get("/outbox/api/held?topic=mails", "X-Login", "anna").body())
        .contains("\"held\":[]");
    assertThat(pause().statusCode()).isEqualTo(403);
  }

  @Test
  void it_is_below_the_paths_that_the_application_and_its_servlet_have() throws Exception {
    run(
        "outbox.console.enabled=true",
        "server.servlet.context-path=/shop",
        "spring.mvc.servlet.path=/mvc");
    assertThat(get("/shop/mvc/outbox").headers().firstValue("Location").orElse(""))
        .endsWith("/shop/mvc/outbox/");
    assertThat(get("/shop/mvc/outbox/").body()).contains("<title>Outbox console</title>");
    assertThat(get("/shop/mvc/outbox/api/me", "X-Login", "anna").body())
        .contains("\"who\":\"anna\"");
  }

  @Test
  void it_operates_where_that_is_set() throws Exception {
    run("outbox.console.enabled=true", "outbox.console.operate=true");
    assertThat(pause().statusCode()).isEqualTo(200);
    Topics topics = Topics.create(context.getBean(OutboxStore.class));
    assertThat(topics.settings().get("mails").paused()).isTrue();
  }

  @Tag("boot-4")
  @Test
  void it_shows_in_what_the_tables_differ_whatever_their_layout() throws Exception {
    String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    DataSource database = new DriverManagerDataSource(url, "sa", "");
    Schema.builder(database).lanes(8).create();
    run(
        "outbox.console.enabled=true",
        "outbox.schema.initialize=never",
        "spring.datasource.url=" + url);
    assertThat(get("/outbox/api/schema", "X-Login", "anna").body())
        .contains("\"lanes\":8", "\"differences\":[]");

    new JdbcTemplate(database).execute("DROP TABLE outbox_delayed");
    assertThat(get("/outbox/api/schema", "X-Login", "anna").body())
        .contains("\"differences\":[\"", "outbox_delayed");
  }

  @Test
  void a_customizer_has_the_last_word() throws Exception {
    run("outbox.console.enabled=true", "spring.main.sources=" + Customized.class.getName());
    assertThat(get("/outbox/api/me", "X-Login", "anna").body()).contains("\"operate\":true");
    assertThat(get("/outbox/api/schema", "X-Login", "anna").body()).contains("\"differs\"");
  }

  @Configuration(proxyBeanMethods = false)
  static class Customized {
    @Bean
    OutboxCustomizer<OutboxConsole.Builder> console() {
      return console -> console.operate().schema(() -> List.of("differs"));
    }
  }

  @Test
  void it_shows_which_brokers_the_relay_of_the_application_finds_down() throws Exception {
    run("outbox.console.enabled=true", "outbox.relay.enabled=true");
    context
        .getBean(TransactionTemplate.class)
        .executeWithoutResult(
            status -> context.getBean(Outbox.Joined.class).enqueue(Message.to("mails").text("1")));
    String topics = get("/outbox/api/topics", "X-Login", "anna").body();
    while (!topics.matches(".*\"nextProbe\":\\d.*")) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      topics = get("/outbox/api/topics", "X-Login", "anna").body();
    }
  }

  @Test
  void it_is_not_there_unless_it_is_asked_for() throws Exception {
    run();
    assertThat(get("/outbox/").statusCode()).isEqualTo(404);
  }

  @Test
  void the_end_of_a_context_below_does_not_end_it() throws Exception {
    run("outbox.console.enabled=true");
    try (GenericApplicationContext below = new GenericApplicationContext(context)) {
      below.refresh();
    }
    try (InputStream events =
        client
            .send(
                at("/outbox/api/events").header("X-Login", "anna").build(),
                BodyHandlers.ofInputStream())
            .body()) {
      assertThat(events.read()).as("the first letter of an event").isEqualTo('d');
    }
  }

  @Tag("boot-4")
  @Test
  void a_page_that_watches_does_not_hold_up_the_end() throws Exception {
    run("outbox.console.enabled=true");
    InputStream events =
        client
            .send(
                at("/outbox/api/events").header("X-Login", "anna").build(),
                BodyHandlers.ofInputStream())
            .body();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8));
    assertThat(lines.readLine()).startsWith("data: {");
    long began = System.nanoTime();
    context.close();
    assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(15));
  }
}
