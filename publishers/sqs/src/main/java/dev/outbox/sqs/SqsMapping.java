package dev.outbox.sqs;

import dev.outbox.message.Envelope;
import dev.outbox.publish.CloudEvents;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/**
 * How a message becomes one of SQS: text as it is and other bytes as Base64, id, topic, key,
 * content type and headers as attributes, of which there are ten at most; where some have no place
 * all headers but those of a trace go into one of them as JSON. In a FIFO queue the key is the
 * group, and the id drops repeats.
 *
 * <p>Immutable.
 */
record SqsMapping(Function<Envelope, String> queues, @Nullable CloudEvents structured) {
  static final String ID = "message-id";
  static final String TOPIC = "message-topic";
  static final String KEY = "message-key";
  static final String CONTENT_TYPE = "content-type";

  /** How the body is written, when it is not the payload's own text. */
  static final String ENCODING = "payload-encoding";

  /** The headers as a JSON object, when they do not go one by one. */
  static final String HEADERS = "message-headers";

  static final String BASE64 = "base64";

  /** SQS takes no empty body. */
  static final String EMPTY = "empty";

  /** To the queue that has the name of the topic. */
  static final SqsMapping PLAIN = new SqsMapping(Envelope::topic, null);

  static final Set<String> RESERVED = Set.of(ID, TOPIC, KEY, CONTENT_TYPE, ENCODING, HEADERS);

  /** Attributes of their own whatever the others are: programs that trace look for them there. */
  private static final List<String> TRACE = List.of("traceparent", "tracestate");

  private static final int MOST_ATTRIBUTES = 10;
  private static final Pattern NAME =
      Pattern.compile("(?!(?i:aws\\.|amazon\\.))[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");
  private static final int MAX_NAME = 256;

  /** The part of a message that does not depend on its queue. */
  record Content(String body, Map<String, String> attributes) {
    /** As SQS counts it. */
    int size() {
      int size = length(body);
      for (Map.Entry<String, String> each : attributes.entrySet()) {
        size += length(each.getKey()) + length("String") + length(each.getValue());
      }
      return size;
    }

    private static int length(String text) {
      return text.getBytes(StandardCharsets.UTF_8).length;
    }
  }

  static boolean isFifo(String queue) {
    return queue.endsWith(".fifo");
  }

  /**
   * What is sent of a message.
   *
   * @throws IllegalArgumentException when it should be part of a JSON text and is none
   */
  Content content(Envelope envelope) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put(ID, envelope.id().toString());
    attributes.put(TOPIC, envelope.topic());
    if (envelope.key() != null) {
      attributes.put(KEY, envelope.key().value());
    }
    attributes.put(
        CONTENT_TYPE,
        structured == null ? envelope.payload().contentType() : structured.contentType(envelope));
    byte[] bytes = structured == null ? envelope.payload().bytes() : structured.body(envelope);
    String body = SqsText.body(bytes);
    if (body == null) {
      attributes.put(ENCODING, bytes.length == 0 ? EMPTY : BASE64);
      body = bytes.length == 0 ? EMPTY : Base64.getEncoder().encodeToString(bytes);
    }
    addHeaders(envelope.headers(), attributes);
    return new Content(body, attributes);
  }

  private static void addHeaders(Map<String, String> headers, Map<String, String> attributes) {
    boolean fit =
        headers.size() + attributes.size() <= MOST_ATTRIBUTES
            && headers.entrySet().stream().allMatch(SqsMapping::fits);
    if (fit) {
      attributes.putAll(headers);
    } else {
      Map<String, String> packed = new LinkedHashMap<>(headers);
      headers.entrySet().stream()
          .filter(header -> TRACE.contains(header.getKey()) && fits(header))
          .forEach(header -> attributes.put(header.getKey(), packed.remove(header.getKey())));
      attributes.put(HEADERS, SqsText.json(packed));
    }
  }

  private static boolean fits(Map.Entry<String, String> header) {
    String name = header.getKey();
    return NAME.matcher(name).matches()
        && name.length() <= MAX_NAME
        && !header.getValue().isEmpty()
        && SqsText.isLegal(header.getValue());
  }

  /** An entry of a batch, under this name in it. */
  static SendMessageBatchRequestEntry entry(
      Envelope envelope, Content content, boolean fifo, String name) {
    Map<String, MessageAttributeValue> attributes = new LinkedHashMap<>();
    content
        .attributes()
        .forEach(
            (attribute, value) ->
                attributes.put(
                    attribute,
                    MessageAttributeValue.builder().dataType("String").stringValue(value).build()));
    SendMessageBatchRequestEntry.Builder entry =
        SendMessageBatchRequestEntry.builder()
            .id(name)
            .messageBody(content.body())
            .messageAttributes(attributes);
    if (fifo) {
      String id = envelope.id().toString();
      entry
          .messageDeduplicationId(id)
          .messageGroupId(envelope.key() == null ? id : SqsText.group(envelope.key().value()));
    }
    return entry.build();
  }
}
