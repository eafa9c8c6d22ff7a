package dev.outbox.tck.relay.row;

import dev.outbox.tck.fixture.Opener;
import org.junit.jupiter.api.Nested;

/** What a relay does over tables that are claimed by rows, and where it refuses to. */
public abstract class RowRelayContract {
  private final Opener opener;

  protected RowRelayContract(Opener opener) {
    this.opener = opener;
  }

  /** What is committed is published once. */
  @Nested
  class Delivering extends RowDeliveringCases {
    Delivering() {
      super(RowRelayContract.this.opener);
    }
  }

  /** A broker that is down costs no attempts. */
  @Nested
  class Outages extends RowOutageCases {
    Outages() {
      super(RowRelayContract.this.opener);
    }
  }

  /** One message that ends each of its sends in an outage is no outage. */
  @Nested
  class Closing_the_channel extends RowCulpritCases {
    Closing_the_channel() {
      super(RowRelayContract.this.opener);
    }
  }

  /** What a publisher writes commits with the claim. */
  @Nested
  class Effects extends EffectCases {
    Effects() {
      super(RowRelayContract.this.opener);
    }
  }

  /** So does what it writes for a whole flight. */
  @Nested
  class Effects_of_flights extends FlightEffectCases {
    Effects_of_flights() {
      super(RowRelayContract.this.opener);
    }
  }

  /** What lane claims can do is refused over rows. */
  @Nested
  class Refusing_lanes extends RefusalCases.OverRows {
    Refusing_lanes() {
      super(RowRelayContract.this.opener);
    }
  }

  /** What row claims can do is refused over lanes. */
  @Nested
  class Refusing_rows extends RefusalCases.OverLanes {
    Refusing_rows() {
      super(RowRelayContract.this.opener);
    }
  }
}
