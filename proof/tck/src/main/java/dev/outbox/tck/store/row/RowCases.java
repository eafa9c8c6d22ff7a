package dev.outbox.tck.store.row;

import static dev.outbox.tck.fixture.Sample.unkeyed;

import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.StoreCases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the cases of row claims share. */
abstract class RowCases extends StoreCases {
  static final Duration LONGEST = Duration.ofMinutes(1);

  RowCases(Opener opener) {
    super(opener);
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.rows();
  }

  RowStore worker() {
    return closing(store().rows(LONGEST));
  }

  void enqueue(int count) throws Exception {
    List<NewEnvelope> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(unkeyed("m " + i));
    }
    commit(messages);
  }

  static List<String> claimed(RowClaim claim) {
    return texts(claim.messages());
  }
}
