package dev.outbox.brokers;

import dev.outbox.servers.ElasticMqServer;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/** ElasticMQ, which speaks as Amazon SQS, with one FIFO queue. */
final class SqsBroker implements TestBroker {
  static final String QUEUE = TOPIC + ".fifo";
  private static final int ENTRIES = 10;

  private final ElasticMqServer server = ElasticMqServer.start();
  private final int port;
  private final SqsAsyncClient client = client("http://127.0.0.1:" + server.port());

  SqsBroker(IntUnaryOperator network) {
    this.port = network.applyAsInt(server.port());
    make();
  }

  static SqsAsyncClient client(String address) {
    return SqsAsyncClient.builder()
        .endpointOverride(URI.create(address))
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("user", "secret")))
        .build();
  }

  private String make() {
    return client
        .createQueue(
            request ->
                request.queueName(QUEUE).attributes(Map.of(QueueAttributeName.FIFO_QUEUE, "true")))
        .join()
        .queueUrl();
  }

  @Override
  public String address() {
    return "http://127.0.0.1:" + port;
  }

  private String url() {
    return client.getQueueUrl(request -> request.queueName(QUEUE)).join().queueUrl();
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void restart() {
    server.restart();
  }

  @Override
  public void renew() {
    String url = url();
    client.deleteQueue(request -> request.queueUrl(url)).join();
    make();
  }

  @Override
  public long size() {
    String url = url();
    return Long.parseLong(
        client
            .getQueueAttributes(
                request ->
                    request
                        .queueUrl(url)
                        .attributeNames(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES))
            .join()
            .attributes()
            .get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES));
  }

  @Override
  public List<Arrived> arrived() {
    String url = url();
    List<Arrived> arrived = new ArrayList<>();
    for (List<Message> next = next(url); !next.isEmpty(); next = next(url)) {
      List<DeleteMessageBatchRequestEntry> done = new ArrayList<>();
      for (Message each : next) {
        arrived.add(arrived(each));
        String name = String.valueOf(done.size());
        done.add(
            DeleteMessageBatchRequestEntry.builder()
                .id(name)
                .receiptHandle(each.receiptHandle())
                .build());
      }
      DeleteMessageBatchResponse deleted =
          client.deleteMessageBatch(request -> request.queueUrl(url).entries(done)).join();
      if (deleted.hasFailed()) {
        throw new IllegalStateException("not deleted: " + deleted.failed());
      }
    }
    return arrived;
  }

  private List<Message> next(String url) {
    return client
        .receiveMessage(
            request ->
                request.queueUrl(url).maxNumberOfMessages(ENTRIES).messageAttributeNames("All"))
        .join()
        .messages();
  }

  private static Arrived arrived(Message message) {
    Map<String, String> attributes = new HashMap<>();
    message.messageAttributes().forEach((name, value) -> attributes.put(name, value.stringValue()));
    return new Arrived(
        attributes.getOrDefault("message-id", ""), attributes.get("message-key"), message.body());
  }

  @Override
  public HandSender handSender() {
    return new Sender(client(address()), url(), new ArrayList<>(), new ArrayList<>());
  }

  /** Ten in a request, and no two of a key in the requests of one {@code await}. */
  private record Sender(
      SqsAsyncClient client,
      String url,
      List<SendMessageBatchRequestEntry> entries,
      List<CompletableFuture<SendMessageBatchResponse>> sends)
      implements HandSender {
    @Override
    public void send(Row row) {
      Map<String, MessageAttributeValue> attributes = new HashMap<>();
      attributes.put("message-id", text(row.id().toString()));
      attributes.put("message-topic", text(row.topic()));
      attributes.put("content-type", text(row.contentType()));
      if (row.key() != null) {
        attributes.put("message-key", text(row.key()));
      }
      entries.add(
          SendMessageBatchRequestEntry.builder()
              .id(String.valueOf(entries.size()))
              .messageBody(Base64.getEncoder().encodeToString(row.payload()))
              .messageAttributes(attributes)
              .messageDeduplicationId(row.id().toString())
              .messageGroupId(row.key() == null ? row.id().toString() : row.key())
              .build());
      if (entries.size() == ENTRIES) {
        flush();
      }
    }

    private static MessageAttributeValue text(String value) {
      return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
    }

    private void flush() {
      List<SendMessageBatchRequestEntry> batch = List.copyOf(entries);
      entries.clear();
      sends.add(client.sendMessageBatch(request -> request.queueUrl(url).entries(batch)));
    }

    @Override
    public void await() throws IOException {
      if (!entries.isEmpty()) {
        flush();
      }
      for (CompletableFuture<SendMessageBatchResponse> send : sends) {
        if (send.join().hasFailed()) {
          throw new IOException("not sent: " + send.join().failed());
        }
      }
      sends.clear();
    }

    @Override
    public void close() {
      client.close();
    }
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
