package dev.outbox.console.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.console.ConsoleRequest;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Sessions of browsers: each is new, and ends. */
class LoginTest {
  private final AtomicLong clock = new AtomicLong();
  private final Login login = new Login("outbox", false, clock::get);

  private static ConsoleRequest with(String header, String value) {
    return new ConsoleRequest(
        "GET",
        "/api/me",
        Map.of(),
        Map.of(header, value),
        InputStream.nullInputStream(),
        "127.0.0.1");
  }

  private @Nullable String byCookie(String cookie) {
    return login.user(with("Cookie", "other=1; " + cookie.replaceAll(";.*", "")));
  }

  private String session() {
    return Objects.requireNonNull(login.begin(login.token()));
  }

  @Test
  void each_login_begins_a_session_that_is_not_the_token() {
    String one = session();
    String other = session();
    assertThat(one).isNotEqualTo(other).doesNotContain(login.token());
    assertThat(byCookie(one)).isEqualTo("token@127.0.0.1");
    assertThat(byCookie(other)).isNotNull();
    assertThat(login.begin("guess")).isNull();
    assertThat(byCookie("outbox=guess")).isNull();
  }

  @Test
  void a_session_is_no_token_and_the_token_no_session() {
    String session = session().replaceAll("^outbox=|;.*", "");
    assertThat(login.user(with("Authorization", "Bearer " + session))).isNull();
    assertThat(login.begin(session)).isNull();
    assertThat(byCookie("outbox=" + login.token())).isNull();
    assertThat(login.user(with("Authorization", "Bearer " + login.token()))).isNotNull();
  }

  @Test
  void a_session_ends_after_twelve_hours_however_much_it_was_used() {
    String cookie = session();
    clock.set(Login.LONGEST.toNanos() - 1);
    assertThat(byCookie(cookie)).isNotNull();
    clock.incrementAndGet();
    assertThat(byCookie(cookie)).isNull();
    assertThat(cookie).endsWith("Max-Age=43200");
  }

  @Test
  void the_oldest_of_too_many_sessions_ends() {
    List<String> cookies = new ArrayList<>();
    for (int i = 0; i < 101; i++) {
      cookies.add(session());
    }
    assertThat(byCookie(cookies.get(0))).isNull();
    assertThat(cookies.subList(1, 101)).allMatch(cookie -> byCookie(cookie) != null);
  }
}
