package dev.outbox.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outbox.cli.text.Terminal;
import dev.outbox.cli.text.Terminal.Asking;
import dev.outbox.cli.text.Terminal.Size;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;

/** What a call of the command line answered. */
record Called(int exit, String out, String err) {
  /** Calls it as a script does: nobody is there. */
  static Called by(Map<String, String> variables, String... arguments) {
    return with(null, variables, arguments);
  }

  /** Calls it with a person at the terminal, who types {@code answer} whatever is asked. */
  static Called with(@Nullable String answer, Map<String, String> variables, String... arguments) {
    return asked(answer == null ? null : new Typing(answer, null), variables, arguments);
  }

  private static Called asked(
      @Nullable Asking asking, Map<String, String> variables, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Terminal terminal =
        new Terminal(new PrintWriter(out), new PrintWriter(err), variables, Ansi.OFF, asking);
    int exit = Main.run(terminal, arguments);
    return new Called(exit, out.toString(), err.toString());
  }

  /** Calls it with a person who looks at a terminal of this size. */
  static Called seen(Size size, Map<String, String> variables, String... arguments) {
    return asked(new Typing("", size), variables, arguments);
  }

  /** Calls it where a pipe's reader has gone, or the disk is full. */
  static Called unread(Map<String, String> variables, String... arguments) {
    StringWriter err = new StringWriter();
    PrintWriter out = new PrintWriter(new Closed());
    int exit =
        Main.run(new Terminal(out, new PrintWriter(err), variables, Ansi.OFF, null), arguments);
    return new Called(exit, "", err.toString());
  }

  private static final class Closed extends Writer {
    @Override
    public void write(char[] text, int from, int length) throws IOException {
      throw new IOException("Broken pipe");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  record Typing(String answer, @Nullable Size size) implements Asking {
    @Override
    public String line(String question) {
      return answer;
    }

    @Override
    public String secret(String question) {
      return answer;
    }
  }

  JsonNode json() {
    try {
      return new ObjectMapper().readTree(out);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
