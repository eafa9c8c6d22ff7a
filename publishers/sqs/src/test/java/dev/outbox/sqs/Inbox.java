package dev.outbox.sqs;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outbox.message.MessageId;
import dev.outbox.testkit.contract.Received;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;

/** What a consumer has received of a queue, and reads and deletes as it is asked. */
final class Inbox {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final SqsAsyncClient client;
  private final String url;
  private final List<Received> all = new ArrayList<>();

  Inbox(SqsAsyncClient client, String queue) {
    this.client = client;
    this.url = client.getQueueUrl(request -> request.queueName(queue)).join().queueUrl();
  }

  synchronized List<Received> received() throws IOException {
    for (List<Message> next = next(); !next.isEmpty(); next = next()) {
      List<DeleteMessageBatchRequestEntry> done = new ArrayList<>();
      for (Message each : next) {
        all.add(read(each));
        String name = String.valueOf(done.size());
        done.add(
            DeleteMessageBatchRequestEntry.builder()
                .id(name)
                .receiptHandle(each.receiptHandle())
                .build());
      }
      DeleteMessageBatchResponse unused =
          client.deleteMessageBatch(request -> request.queueUrl(url).entries(done)).join();
    }
    return List.copyOf(all);
  }

  private List<Message> next() {
    return client
        .receiveMessage(
            request -> request.queueUrl(url).maxNumberOfMessages(10).messageAttributeNames("All"))
        .join()
        .messages();
  }

  private static Received read(Message message) throws IOException {
    Map<String, String> headers = new HashMap<>();
    message.messageAttributes().forEach((name, value) -> headers.put(name, value.stringValue()));
    String packed = headers.remove(SqsMapping.HEADERS);
    if (packed != null) {
      headers.putAll(JSON.readValue(packed, new TypeReference<Map<String, String>>() {}));
    }
    byte[] body =
        switch (headers.getOrDefault(SqsMapping.ENCODING, "")) {
          case SqsMapping.BASE64 -> Base64.getDecoder().decode(message.body());
          case SqsMapping.EMPTY -> new byte[0];
          default -> message.body().getBytes(StandardCharsets.UTF_8);
        };
    return new Received(
        MessageId.parse(headers.get(SqsMapping.ID)), headers.get(SqsMapping.KEY), headers, body);
  }
}
