package dev.outbox.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Asks the console as its page does. */
final class Browser {
  private final HttpClient client = HttpClient.newHttpClient();
  private final URI place;
  private final String token;

  Browser(OutboxConsole console) {
    this.place = console.url().resolve("/");
    this.token = console.url().getFragment().substring("token=".length());
  }

  String token() {
    return token;
  }

  URI place() {
    return place;
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(place.resolve(path));
  }

  HttpRequest.Builder own(String path) {
    return request(path).header("Authorization", "Bearer " + token);
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  JsonNode get(String path) throws Exception {
    HttpResponse<String> response = send(own(path));
    if (response.statusCode() != 200) {
      throw new IllegalStateException(response.statusCode() + " " + response.body());
    }
    return json(response.body());
  }

  /** The first dead letter of a topic. */
  JsonNode letter(String topic) throws Exception {
    JsonNode first = get("api/dead?topic=" + topic).get("letters").get(0);
    return get("api/letter?number=" + first.get("number").asText());
  }

  HttpRequest.Builder posting(String path, Map<String, ?> values) {
    return own(path)
        .header("Content-Type", "application/json")
        .header("X-Outbox-Console", "1")
        .POST(HttpRequest.BodyPublishers.ofString(text(values)));
  }

  HttpResponse<String> post(String path, Map<String, ?> values) throws Exception {
    return send(posting(path, values));
  }

  /** A replay or discard, once it is in one of these states. */
  JsonNode job(String id, List<String> states) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
    JsonNode job = get("api/job?id=" + id);
    while (!states.contains(job.get("state").asText())) {
      assertThat(System.nanoTime()).as(job.toString()).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      job = get("api/job?id=" + id);
    }
    return job;
  }

  int confirm(String id, long messages) throws Exception {
    return post("api/jobs/confirm", Map.of("id", id, "messages", messages)).statusCode();
  }

  /** What the console tells who watches. */
  BufferedReader watch() throws Exception {
    InputStream body = client.send(own("api/events").build(), BodyHandlers.ofInputStream()).body();
    return new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
  }

  /** The next of it. */
  static JsonNode event(BufferedReader lines) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    String line = lines.readLine();
    while (line != null && !line.startsWith("data: ")) {
      assertThat(System.nanoTime()).as("no event comes").isLessThan(end);
      line = lines.readLine();
    }
    assertThat(line).isNotNull();
    return json(line.substring("data: ".length()));
  }

  static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Map<String, ?> values) {
    try {
      return new ObjectMapper().writeValueAsString(values);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
