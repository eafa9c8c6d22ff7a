package dev.outbox.testkit.internal.network;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.net.Socket;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoorTest {
  private static final int MILLIS = 900;

  /** A publisher that opens 200 connections at once must not meet a network that looks slow. */
  @Test
  void many_clients_knock_at_once_and_none_is_kept_out() throws IOException {
    List<Socket> clients = new ArrayList<>();
    try (Selector selector = Selector.open()) {
      Door door = Door.atFreePort(selector);
      try {
        for (int client = 0; client < 500; client++) {
          Socket socket = new Socket();
          clients.add(socket);
          assertThatCode(() -> socket.connect(door.address(), MILLIS))
              .as("client %d", client)
              .doesNotThrowAnyException();
        }
      } finally {
        door.close();
        for (Socket client : clients) {
          client.close();
        }
      }
    }
  }
}
