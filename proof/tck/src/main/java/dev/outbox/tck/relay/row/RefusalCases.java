package dev.outbox.tck.relay.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Claiming;
import dev.outbox.Relay;
import dev.outbox.publish.Publisher;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import org.junit.jupiter.api.Test;

/** Relays that expect what the tables are not made for are refused. */
public final class RefusalCases {
  private RefusalCases() {}

  /** Over tables that are claimed by lanes. */
  public abstract static class OverLanes extends RelayCases {
    protected OverLanes(Opener opener) {
      super(opener);
    }

    @Test
    void a_relay_that_expects_rows_is_refused() {
      Relay.Builder builder = Relay.builder(store(), broker.publisher()).claiming(Claiming.ROWS);
      assertThatThrownBy(builder::start)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("claiming is ROWS, but the tables are made for LANES;");
      assertThat(store().sessions()).isZero();
    }

    @Test
    void a_transactional_publisher_is_refused() {
      Publisher transactional = Publisher.transactional((envelope, transaction) -> {});
      Relay.Builder builder = Relay.builder(store(), transactional);
      assertThatThrownBy(builder::start)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "publisher is transactional, but the tables are claimed by LANES; make them with Schema.builder(dataSource).claiming(Claiming.ROWS), or give another publisher");
      assertThat(store().sessions()).isZero();
    }
  }

  /** Over tables that are claimed by rows. */
  public abstract static class OverRows extends RelayCases {
    protected OverRows(Opener opener) {
      super(opener);
    }

    @Override
    protected StoreSetting setting() {
      return StoreSetting.rows();
    }

    @Test
    void a_relay_that_expects_lanes_is_refused() {
      Relay.Builder builder = Relay.builder(store(), broker.publisher()).claiming(Claiming.LANES);
      assertThatThrownBy(builder::start)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "claiming is LANES, but the tables are made for ROWS; leave claiming(..) out, or make other tables with Schema");
    }
  }
}
