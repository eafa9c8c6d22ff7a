package dev.outbox.internal.relay.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.LogLines;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class ErrorTextTest {
  @Test
  void names_what_is_behind_an_exception() {
    Exception refused =
        new IllegalStateException(
            "could not send", new IOException("handshake", new IllegalArgumentException()));

    assertThat(ErrorText.of(refused))
        .isEqualTo(
            "java.lang.IllegalStateException: could not send; caused by java.io.IOException: handshake;"
                + " caused by java.lang.IllegalArgumentException");
  }

  @Test
  void says_nothing_twice() {
    Exception wrapped = new IllegalStateException(new IOException("refused"));

    assertThat(ErrorText.of(wrapped))
        .isEqualTo("java.lang.IllegalStateException: java.io.IOException: refused");
  }

  @Test
  void a_long_text_leaves_room_for_the_causes() {
    Exception wordy = new IllegalStateException("x".repeat(2000), new IOException("refused"));

    assertThat(ErrorText.of(wordy)).endsWith("x...; caused by java.io.IOException: refused");
  }

  @Test
  void ends_where_causes_go_round() {
    Exception outer = new IllegalStateException("outer");
    Exception inner = new IOException("inner", outer);
    outer.initCause(inner);

    assertThat(ErrorText.of(outer))
        .isEqualTo("java.lang.IllegalStateException: outer; caused by java.io.IOException: inner");
  }

  @Test
  void survives_an_exception_that_throws_when_it_is_read() {
    assertThat(ErrorText.of(unreadable()))
        .endsWith("its message could not be read: java.lang.UnsupportedOperationException");
  }

  @Test
  void its_stack_trace_is_logged_at_debug_level_only() {
    Exception thrown = new IllegalStateException("x", new IOException("refused"));

    assertThat(LogLines.of(() -> ErrorText.trace(logger("debug"), thrown)))
        .anyMatch(line -> line.endsWith("java.lang.IllegalStateException: x"))
        .anyMatch(line -> line.startsWith("\tat " + ErrorTextTest.class.getName()))
        .anyMatch(line -> line.endsWith("Caused by: java.io.IOException: refused"));
    assertThat(LogLines.of(() -> ErrorText.trace(logger("info"), thrown))).isEmpty();
  }

  @Test
  void a_stack_trace_that_cannot_be_read_is_named() {
    assertThat(LogLines.of(() -> ErrorText.trace(logger("debug"), unreadable())))
        .anyMatch(
            line ->
                line.endsWith(
                    "its stack trace could not be read: java.lang.UnsupportedOperationException"));
  }

  private static Logger logger(String level) {
    String name = "traces at " + level;
    System.setProperty("org.slf4j.simpleLogger.log." + name, level);
    return LoggerFactory.getLogger(name);
  }

  private static Exception unreadable() {
    return new IllegalStateException("x") {
      @Override
      public String getMessage() {
        throw new UnsupportedOperationException();
      }

      @Override
      public synchronized Throwable getCause() {
        throw new UnsupportedOperationException();
      }
    };
  }
}
