package dev.outbox.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.publish.Ack;
import dev.outbox.servers.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream of three replicas that loses its majority: the row of the page without a leader. */
@Tag("proof")
@SuppressWarnings("try") // to be interrupted in close ends the test
class NatsClusterTest {
  private static final Duration DEADLINE = Duration.ofSeconds(4);
  private static final String SUBJECT = "orders";

  private List<NatsServer> servers = List.of();

  @BeforeEach
  void start() {
    NatsServer.whyNot().ifPresent(Assumptions::abort);
    servers = NatsServer.startCluster(3);
  }

  @AfterEach
  void end() {
    servers.forEach(NatsServer::close);
  }

  @Test
  @Timeout(180)
  void a_stream_without_a_leader_is_unavailable_until_it_has_one() throws Exception {
    Options options = TestBroker.at(servers.get(0).port()).build();
    addStream(options);
    try (NatsPublisher publisher =
        NatsPublisher.builder(options).publishDeadline(DEADLINE).build()) {
      assertThat(answer(publisher)).isInstanceOf(Ack.Delivered.class);
      servers.get(1).kill();
      servers.get(2).kill();
      Set<String> reasons = new LinkedHashSet<>();
      while (reasons.stream().noneMatch(each -> each.contains("503"))) {
        Ack ack = answer(publisher);
        assertThat(ack).isInstanceOf(Ack.Unavailable.class);
        reasons.add(String.valueOf(((Ack.Unavailable) ack).cause().getMessage()));
      }
      assertThat(reasons)
          .allMatch(each -> each.contains("no stream has") || each.contains("no answer in time"));
      servers.get(1).restart();
      servers.get(2).restart();
      Ack ack = answer(publisher);
      while (ack instanceof Ack.Unavailable) {
        ack = answer(publisher);
      }
      assertThat(ack).isInstanceOf(Ack.Delivered.class);
    }
  }

  private static Ack answer(NatsPublisher publisher) throws Exception {
    OneFlight flight = new OneFlight(TestBroker.message(SUBJECT, "42", new byte[10]), DEADLINE);
    publisher.publish(flight);
    return flight.await();
  }

  /** The servers elect a leader first. */
  private static void addStream(Options options) throws Exception {
    StreamConfiguration stream =
        StreamConfiguration.builder()
            .name("ORDERS")
            .subjects(SUBJECT)
            .storageType(StorageType.File)
            .replicas(3)
            .build();
    try (Connection connection = Nats.connect(options)) {
      boolean added = false;
      while (!added) {
        try {
          connection.jetStreamManagement().addStream(stream);
          added = true;
        } catch (JetStreamApiException | IOException notYet) {
          assertThat(notYet).hasMessageMatching(".*(1000[458]|503|Timeout).*");
        }
      }
    }
  }
}
