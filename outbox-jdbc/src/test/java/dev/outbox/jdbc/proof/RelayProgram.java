package dev.outbox.jdbc.proof;

import com.zaxxer.hikari.HikariDataSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A relay as its own process, so that it can be killed, stopped and cut off like one. Takes its
 * terms as arguments and obeys the lines of its standard input, each answered by one line:
 *
 * <ul>
 *   <li>{@code join}: starts a relay; answered by {@code joined} and its name
 *   <li>{@code leave}: closes it gracefully; answered by {@code left} and the milliseconds
 *   <li>{@code hog <millis>}: an application in the same process that takes every connection of the
 *       pool and gives none back for so long; answered by {@code hogging} and {@code hogged}
 *   <li>{@code exit}, or the end of the input: ends the process without closing anything
 * </ul>
 */
public final class RelayProgram {
  private final RelayUnit unit;
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private RelayProgram(RelayUnit unit) {
    this.unit = unit;
  }

  /** Runs until told to exit, or until whoever started it is gone. */
  public static void main(String[] arguments) throws Exception {
    try {
      new RelayProgram(new RelayUnit(RelayTerms.parse(arguments))).obey();
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }

  private void obey() throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", 2);
      switch (words[0]) {
        case "join" -> out.println("joined " + unit.join());
        case "leave" -> out.println("left " + unit.leave().toMillis());
        case "hog" -> hog(unit.pool(), Duration.ofMillis(Long.parseLong(words[1])));
        case "exit" -> {
          return;
        }
        default -> out.println("what is " + line + "?");
      }
    }
  }

  private void hog(HikariDataSource pool, Duration time) {
    Hogs hogs = new Hogs(pool, time);
    hogs.start();
    out.println("hogging");
    new Thread(
            () -> {
              hogs.join();
              out.println("hogged");
            },
            "hogs")
        .start();
  }
}
