package dev.outbox.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.internal.publish.ClassifyingPublisher;
import dev.outbox.publish.BrokerGuarantees.Durability;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class BrokerGuaranteesTest {
  private static final BrokerGuarantees STRONG =
      BrokerGuarantees.nothing()
          .dedupes(Duration.ofMinutes(10))
          .fencing()
          .durable(Durability.REPLICATED);
  private static final BrokerGuarantees OTHER =
      BrokerGuarantees.nothing().dedupes(Duration.ofMinutes(2)).durable(Durability.DISK);

  private final Publisher plain = Publisher.blocking(envelope -> {});

  @Test
  void a_publisher_that_says_nothing_promises_nothing() {
    assertThat(plain.brokerGuarantees()).isEqualTo(BrokerGuarantees.nothing());
    assertThat(Publisher.async(envelope -> null).brokerGuarantees())
        .isEqualTo(BrokerGuarantees.nothing());
    assertThat(BrokerGuarantees.nothing())
        .isEqualTo(new BrokerGuarantees(null, null, false, Durability.UNKNOWN));
  }

  @Test
  void the_weakest_of_two_has_the_weaker_of_each() {
    assertThat(STRONG.weakest(OTHER)).isEqualTo(OTHER);
    assertThat(OTHER.weakest(STRONG)).isEqualTo(OTHER);
    assertThat(STRONG.weakest(BrokerGuarantees.nothing())).isEqualTo(BrokerGuarantees.nothing());
    assertThat(STRONG.weakest(STRONG)).isEqualTo(STRONG);
  }

  @Test
  void the_weakest_of_two_windows_keeps_both_bounds() {
    BrokerGuarantees lately = BrokerGuarantees.nothing().dedupes(Duration.ofMinutes(2));
    BrokerGuarantees few = BrokerGuarantees.nothing().dedupes(100);
    BrokerGuarantees many = few.dedupes(1000);

    assertThat(few.weakest(many)).isEqualTo(few);
    assertThat(many.weakest(few)).isEqualTo(few);
    assertThat(lately.weakest(few)).isEqualTo(lately.dedupes(100));
    assertThat(few.weakest(lately)).isEqualTo(lately.dedupes(100));
    assertThat(few.weakest(BrokerGuarantees.nothing()).dedupes()).isFalse();
    assertThat(BrokerGuarantees.nothing().weakest(few)).isEqualTo(BrokerGuarantees.nothing());
    assertThat(few.dedupes() && lately.dedupes()).isTrue();
  }

  @Test
  void every_decorator_passes_it_on() {
    Publisher offering = plain.withGuarantees(STRONG);

    assertThat(offering.brokerGuarantees()).isEqualTo(STRONG);
    assertThat(offering.classify(Ack::of).brokerGuarantees()).isEqualTo(STRONG);
    assertThat(offering.observed(list -> () -> {}).brokerGuarantees()).isEqualTo(STRONG);
    assertThat(offering.resolving(Resolver.none()).brokerGuarantees()).isEqualTo(STRONG);
    assertThat(offering.resolving(Resolver.none()).classify(Ack::of).brokerGuarantees())
        .isEqualTo(STRONG);
    assertThat(new ClassifyingPublisher(offering, Ack::of).brokerGuarantees()).isEqualTo(STRONG);
    assertThat(offering.ordering()).isEqualTo(plain.ordering());
    assertThat(Publisher.transactional((e, c) -> {}).withGuarantees(STRONG).isTransactional())
        .isTrue();
    assertThat(plain.resolving(Resolver.none()).withGuarantees(STRONG).resolvesReferences())
        .isTrue();
  }

  @Test
  void a_route_offers_what_its_weakest_part_does() {
    Publisher route =
        Publisher.route(
            Map.of("a", plain.withGuarantees(STRONG), "b", plain.withGuarantees(OTHER)));

    assertThat(route.brokerGuarantees()).isEqualTo(OTHER);
    assertThat(route.classify(Ack::of).brokerGuarantees()).isEqualTo(OTHER);
  }

  @Test
  void an_effect_in_the_claim_needs_no_window() {
    assertThat(Publisher.transactional((e, c) -> {}).brokerGuarantees().dedupeWindow())
        .isEqualTo(BrokerGuarantees.FOR_EVER);
  }

  @Test
  void a_window_is_positive() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BrokerGuarantees.nothing().dedupes(Duration.ZERO))
        .withMessage("dedupeWindow is PT0S, it must be positive; leave it out for none");
  }

  @Test
  void a_count_is_positive() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BrokerGuarantees.nothing().dedupes(0))
        .withMessage("dedupeCount is 0, the minimum is 1; leave it out for none");
  }

  @Test
  void reads_as_a_line_of_the_log() {
    assertThat(STRONG)
        .hasToString("drops repeats for PT10M, refuses older fencing tokens, REPLICATED");
    assertThat(BrokerGuarantees.nothing()).hasToString("nothing declared");
    assertThat(BrokerGuarantees.nothing().dedupes(20_000))
        .hasToString("drops repeats of the last 20000 ids");
    assertThat(STRONG.dedupes(10))
        .hasToString(
            "drops repeats of the last 10 ids for PT10M, refuses older fencing tokens, REPLICATED");
  }

  @Test
  void a_flight_without_a_token_says_so() {
    assertThat(RecordingFlight.of().fencingToken()).isEqualTo(OptionalLong.empty());
  }
}
