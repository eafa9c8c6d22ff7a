package dev.outbox.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AckTest {
  static Stream<Throwable> outages() {
    return Stream.of(
        new ConnectException("refused"),
        new SQLTransientConnectionException("the pool is empty"),
        new SQLException("connection reset", "08006"),
        new UnknownHostException("broker"),
        new NoRouteToHostException(),
        new SocketTimeoutException("read"),
        new HttpTimeoutException("request"),
        new SSLHandshakeException("the certificate has expired"),
        new SSLPeerUnverifiedException("the certificate is of another host"),
        new TimeoutException());
  }

  @ParameterizedTest
  @MethodSource("outages")
  void an_outage_is_Unavailable_also_deep_in_the_causes(Throwable outage) {
    assertThat(Ack.of(outage)).isEqualTo(Ack.unavailable(outage));
    RuntimeException wrapped = new RuntimeException(new IOException(new RuntimeException(outage)));
    assertThat(Ack.of(wrapped)).isEqualTo(Ack.unavailable(wrapped));
  }

  @Test
  void anything_else_is_Failed_also_an_Error() {
    Throwable plain = new IllegalStateException("no");
    Throwable record = new SSLException("the record is too large");
    Throwable error = new StackOverflowError();

    assertThat(Ack.of(plain)).isEqualTo(Ack.failed(plain));
    assertThat(Ack.of(record)).isEqualTo(Ack.failed(record));
    assertThat(Ack.of(error)).isEqualTo(Ack.failed(error));
  }

  @Test
  void the_wrappers_of_futures_are_taken_off_unless_they_are_empty() {
    Throwable plain = new IllegalStateException("no");
    Throwable empty = new CompletionException("empty", null);

    assertThat(Ack.of(new CompletionException(plain))).isEqualTo(Ack.failed(plain));
    assertThat(Ack.of(new ExecutionException(plain))).isEqualTo(Ack.failed(plain));
    assertThat(Ack.of(empty)).isEqualTo(Ack.failed(empty));
  }

  @Test
  void causes_that_go_in_a_circle_come_to_an_end() {
    RuntimeException first = new RuntimeException("first");
    RuntimeException second = new RuntimeException("second", first);
    first.initCause(second);

    assertThat(Ack.of(first)).isEqualTo(Ack.failed(first));
  }

  @Test
  void an_answer_without_its_cause_or_reason_says_so_instead_of_failing_later() {
    assertThat(((Ack.Failed) Ack.failed(null)).cause()).hasMessageContaining("without a cause");
    assertThat(((Ack.Unavailable) Ack.unavailable(null)).cause())
        .hasMessageContaining("without a cause");
    assertThat(((Ack.Rejected) Ack.rejected(null)).reason()).isEqualTo("no reason given");
  }
}
