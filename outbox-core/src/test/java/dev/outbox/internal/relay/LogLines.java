package dev.outbox.internal.relay;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * What was logged while something ran, by its thread and by those that it started: other tests go
 * on beside it. Stateless but for that.
 */
public final class LogLines {
  private static final InheritableThreadLocal<OutputStream> LISTENER =
      new InheritableThreadLocal<>();

  static {
    System.setErr(new PrintStream(new ByThread(System.err), true, StandardCharsets.UTF_8));
  }

  private LogLines() {}

  public static List<String> of(Runnable work) {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    OutputStream before = LISTENER.get();
    LISTENER.set(log);
    try {
      work.run();
    } finally {
      LISTENER.set(before);
    }
    return log.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static final class ByThread extends OutputStream {
    private final PrintStream others;

    ByThread(PrintStream others) {
      this.others = others;
    }

    @Override
    public void write(int letter) throws IOException {
      write(new byte[] {(byte) letter}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      Objects.requireNonNullElse(LISTENER.get(), others).write(bytes, from, count);
    }

    @Override
    public void flush() {
      others.flush();
    }
  }
}
