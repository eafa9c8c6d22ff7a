package dev.outbox.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BrokerPackageTest {
  @TempDir private Path folder;

  private BrokerPackage inFolder() {
    return new BrokerPackage(
        "Carrot", "carrot-server", List.of("/nowhere", folder.toString()), "carrot:1", "/etc");
  }

  @Test
  void the_package_is_taken_where_it_is_installed() throws Exception {
    Files.createFile(
        folder.resolve("carrot-server"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));

    assertThat(inFolder().isInContainer()).isFalse();
    assertThat(inFolder().whyNot()).isEmpty();
    assertThat(inFolder().program("carrotctl")).isEqualTo(folder.resolve("carrotctl").toString());
    assertThat(inFolder().address()).isEqualTo("127.0.0.1");
  }

  @Test
  void without_it_a_container_is_in_its_place() {
    assertThat(inFolder().isInContainer()).isTrue();
    assertThat(inFolder().program("carrotctl")).isEqualTo("carrotctl");
    assertThat(inFolder().address()).isEqualTo("0.0.0.0");
    assertThat(inFolder().host(4222)).isEqualTo("server-4222");
  }

  /** Its ports are those of its own loopback interface. */
  @Test
  void an_engine_on_another_machine_is_of_no_use() {
    InetAddress loopback = InetAddress.getLoopbackAddress();

    assertThat(DockerEngine.isElsewhere(new InetSocketAddress("192.0.2.1", 2375))).isTrue();
    assertThat(DockerEngine.isElsewhere(InetSocketAddress.createUnresolved("docker", 2375)))
        .isTrue();
    assertThat(DockerEngine.isElsewhere(new InetSocketAddress(loopback, 2375))).isFalse();
    assertThat(DockerEngine.isElsewhere(UnixDomainSocketAddress.of("/run/docker.sock"))).isFalse();
  }

  @Test
  void without_a_Docker_engine_too_it_says_what_is_missing() {
    assumeThat(Containers.whyNot()).isPresent();

    assertThat(inFolder().whyNot().orElseThrow())
        .startsWith(
            "no Carrot server: the package carrot-server is not installed,"
                + " and no Docker engine answers");
    assertThatThrownBy(inFolder()::require)
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessageStartingWith("no Carrot server");
  }
}
