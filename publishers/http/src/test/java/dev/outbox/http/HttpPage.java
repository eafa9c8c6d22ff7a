package dev.outbox.http;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.CloudEvents;
import dev.outbox.spi.OutboxStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/** The code of docs/brokers/http.md. */
final class HttpPage {
  private HttpPage() {}

  /** Four lines to start. */
  static Outbox start(OutboxStore store) {
    // tag::start[]
    HttpPublisher http = HttpPublisher.create(URI.create("https://shop.example/hooks"));
    Relay relay = Relay.builder(store, http).owns(http).start();
    Outbox outbox = Outbox.builder(store).limits(HttpPublisher.limits()).build();
    // end::start[]
    relay.close();
    return outbox;
  }

  /** An endpoint of a partner. */
  static HttpPublisher signed(String newSecret, String oldSecret, String token) {
    // tag::signed[]
    HttpPublisher http =
        HttpPublisher.builder(URI.create("https://shop.example/hooks"))
            .signedBy(newSecret, oldSecret)
            .header("Authorization", () -> "Bearer " + token)
            .cloudEvents(CloudEvents.binary(URI.create("https://shop.example/orders")))
            .build();
    // end::signed[]
    return http;
  }

  /** What a customer has told. */
  record Customer(URI endpoint, List<String> secrets) {}

  /** An endpoint for each customer. */
  static HttpPublisher toCustomers(Map<String, Customer> customers) {
    // tag::customers[]
    HttpPublisher http =
        HttpPublisher.builder(envelope -> customer(customers, envelope).endpoint())
            .signedBy(envelope -> customer(customers, envelope).secrets())
            .publicAddressesOnly()
            .statuses(status -> status.status() == 410 ? Ack.failed(status) : status.answer())
            .build();
    // end::customers[]
    return http;
  }

  private static Customer customer(Map<String, Customer> customers, Envelope envelope) {
    return customers.get(envelope.topic());
  }

  /** TLS by a certificate of one's own, with a login. */
  static HttpPublisher secured(URI endpoint, SSLContext trusting, Supplier<String> token) {
    // tag::secured[]
    HttpClient client = HttpClient.newBuilder().sslContext(trusting).build();
    HttpPublisher http =
        HttpPublisher.builder(endpoint) // https://
            .client(client)
            .header("Authorization", () -> "Bearer " + token.get())
            .build();
    // end::secured[]
    return http;
  }
}
