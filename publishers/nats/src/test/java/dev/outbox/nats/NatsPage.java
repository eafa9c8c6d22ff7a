package dev.outbox.nats;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.spi.OutboxStore;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import javax.net.ssl.SSLContext;

/** The code of docs/brokers/nats.md. */
final class NatsPage {
  private NatsPage() {}

  /** Four lines to start. */
  static Outbox start(OutboxStore store) {
    // tag::start[]
    Options options = new Options.Builder().server("nats://localhost:4222").build();
    NatsPublisher nats = NatsPublisher.create(options);
    Relay relay = Relay.builder(store, nats).owns(nats).start();
    Outbox outbox = Outbox.builder(store).limits(NatsPublisher.limits()).build();
    // end::start[]
    relay.close();
    return outbox;
  }

  /** Another subject, and what the stream promises. */
  static NatsPublisher mapped(Options options, StreamConfiguration stream) {
    // tag::mapped[]
    NatsPublisher nats =
        NatsPublisher.builder(options)
            .subject(envelope -> "shop." + envelope.topic())
            .guaranteesOf(stream)
            .build();
    // end::mapped[]
    return nats;
  }

  /** The stream, whose configuration is read at the start. */
  @SuppressWarnings("try") // close may be interrupted
  static StreamConfiguration stream(Options options) throws Exception {
    // tag::stream[]
    try (Connection connection = Nats.connect(options)) {
      StreamConfiguration orders =
          StreamConfiguration.builder()
              .name("ORDERS")
              .subjects("shop.>")
              .duplicateWindow(Duration.ofMinutes(10))
              .build();
      return connection.jetStreamManagement().addStream(orders).getConfiguration();
    }
    // end::stream[]
  }

  /** TLS with a login. */
  static Options secured(String server, SSLContext trusting, String password) {
    // tag::secured[]
    Options options =
        new Options.Builder()
            .server(server) // tls://nats.example:4222
            .sslContext(trusting) // or SSLContext.getDefault()
            .userInfo("app", password)
            .build();
    // end::secured[]
    return options;
  }
}
