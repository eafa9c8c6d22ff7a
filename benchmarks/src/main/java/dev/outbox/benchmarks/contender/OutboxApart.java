package dev.outbox.benchmarks.contender;

import dev.outbox.benchmarks.contender.OutboxInstallation.Enqueuing;
import dev.outbox.benchmarks.measure.JavaProcess;
import dev.outbox.benchmarks.measure.Site;
import dev.outbox.servers.Database;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * This library with its relays in a process of their own, which PostgreSQL wakes. A message has
 * arrived when this process has read its number from a pipe, so the latency has that in it.
 */
final class OutboxApart implements Contender {
  private static final OutboxLanes LANES = new OutboxLanes("outbox", Enqueuing.NOTIFYING);

  @Override
  public String name() {
    return "outbox-apart";
  }

  @Override
  public boolean runsOn(Database database) {
    return LANES.runsOn(database);
  }

  @Override
  public String settings(Tuning tuning) {
    return LANES.settings(tuning) + ", relays in a process of their own";
  }

  @Override
  public void create(Site site) {
    LANES.create(site);
  }

  @Override
  public Installation open(Site site) {
    return new Apart(site, LANES.open(site));
  }

  /** The writers' side. */
  private record Apart(Site site, Installation here) implements Installation {
    @Override
    public void fill(long from, int count) throws Exception {
      here.fill(from, count);
    }

    @Override
    public Writer writer() throws Exception {
      return here.writer();
    }

    @Override
    public Held hold(long number) throws SQLException {
      return here.hold(number);
    }

    @Override
    public long waiting() throws Exception {
      return here.waiting();
    }

    @Override
    public Movement start(Tuning tuning, Sink sink) throws IOException {
      Process process = JavaProcess.of("512m", OutboxApart.class, arguments(tuning)).start();
      DataInputStream arrivals = new DataInputStream(process.getInputStream());
      Thread reader = new Thread(() -> read(arrivals, sink), "arrivals");
      reader.start();
      return () -> end(process, reader);
    }

    private List<String> arguments(Tuning tuning) {
      List<String> arguments = new ArrayList<>();
      arguments.addAll(List.of(String.valueOf(tuning.batch()), String.valueOf(tuning.relays())));
      arguments.addAll(site.arguments());
      return arguments;
    }

    private static void read(DataInputStream arrivals, Sink sink) {
      try {
        while (true) {
          sink.accept(arrivals.readLong());
        }
      } catch (EOFException ended) {
        return; // the other process has closed its relays
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void end(Process process, Thread reader) {
      try {
        process.getOutputStream().close();
        int code = process.waitFor();
        reader.join();
        if (code != 0) {
          throw new IllegalStateException("the process of the relays ended with " + code);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        process.destroy();
      }
    }

    @Override
    public void close() throws SQLException {
      here.close();
    }
  }

  /** The other process: it ends when its input does. */
  public static void main(String[] arguments) throws Exception {
    Tuning tuning = new Tuning(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
    Site site = Site.of(Arrays.asList(arguments).subList(2, arguments.length));
    DataOutputStream arrivals = new DataOutputStream(new BufferedOutputStream(System.out));
    Sink sink = Sink.working(number -> tell(number, arrivals));
    try (Installation installation = LANES.open(site)) {
      Installation.Movement movement = installation.start(tuning, sink);
      try (movement) {
        System.in.transferTo(OutputStream.nullOutputStream());
      }
    }
    sink.checkNoneRepeated();
  }

  private static void tell(long number, DataOutputStream arrivals) {
    try {
      synchronized (arrivals) {
        arrivals.writeLong(number);
        arrivals.flush();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
