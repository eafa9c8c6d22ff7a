package dev.outbox.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class ServerHomeTest {

  @Test
  void another_jvm_sweeps_the_homes_of_the_dead_only() throws IOException {
    Path left = Path.of(otherJvmOpensAHome());
    assertThat(left).exists();

    ServerHome first = ServerHome.open("sweep");
    ServerHome second = ServerHome.open("sweep");
    assertThat(left).doesNotExist();

    otherJvmOpensAHome();
    assertThat(first.path()).exists();
    assertThat(second.path()).exists();
    first.delete();
    second.delete();
    assertThat(first.path()).doesNotExist();
  }

  private static String otherJvmOpensAHome() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath = System.getProperty("java.class.path");
    String where = "-Doutbox.servers.inMemory=" + Boolean.getBoolean("outbox.servers.inMemory");
    Machine.Finished finished =
        Machine.run(new ProcessBuilder(java, where, "-cp", classPath, Opener.class.getName()));
    assertThat(finished.code()).as(finished.output()).isZero();
    return finished.output().strip();
  }

  /** Opens a home and leaves it behind. */
  static final class Opener {
    private Opener() {}

    public static void main(String[] arguments) {
      System.out.println(ServerHome.open("sweep").path());
    }
  }
}
