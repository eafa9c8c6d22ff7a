package dev.outbox.console.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.console.ConsoleRequest;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTest {
  /** Debian gives the name of the machine such an address. */
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.0.1.1", "::1"})
  void the_address_that_it_names_is_answered(String address) throws Exception {
    Access access =
        Access.of(new InetSocketAddress(InetAddress.getByName(address), 8383), any -> "anna", null);
    ConsoleRequest request =
        new ConsoleRequest(
            "GET",
            "/",
            Map.of(),
            Map.of("Host", access.url().getAuthority()),
            InputStream.nullInputStream(),
            address);
    assertThat(access.routes(null, null, null).answer(request).status()).isEqualTo(200);
  }
}
