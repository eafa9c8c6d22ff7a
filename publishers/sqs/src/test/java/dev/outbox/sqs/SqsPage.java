package dev.outbox.sqs;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.publish.CloudEvents;
import dev.outbox.spi.OutboxStore;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** The code of docs/brokers/sqs.md. */
final class SqsPage {
  private SqsPage() {}

  /** Four lines to start. */
  static Outbox start(OutboxStore store, SqsAsyncClient client) {
    // tag::start[]
    SqsPublisher sqs = SqsPublisher.create(client); // SqsAsyncClient.create() of the SDK
    Relay relay = Relay.builder(store, sqs).owns(client).owns(sqs).start();
    Outbox outbox = Outbox.builder(store).limits(SqsPublisher.limits()).build();
    // end::start[]
    relay.close();
    return outbox;
  }

  /** One queue, and CloudEvents. */
  static SqsPublisher mapped(SqsAsyncClient client) {
    // tag::mapped[]
    SqsPublisher sqs =
        SqsPublisher.builder(client)
            .queue("orders.fifo")
            .cloudEvents(CloudEvents.structured(URI.create("https://shop.example/orders")))
            .build();
    // end::mapped[]
    return sqs;
  }

  /** The client signs each request by these credentials. */
  static SqsAsyncClient secured(Region region, AwsCredentialsProvider credentials) {
    // tag::secured[]
    SqsAsyncClient client =
        SqsAsyncClient.builder()
            .region(region) // Region.EU_CENTRAL_1
            .credentialsProvider(credentials) // DefaultCredentialsProvider.create()
            .build();
    // end::secured[]
    return client;
  }
}
