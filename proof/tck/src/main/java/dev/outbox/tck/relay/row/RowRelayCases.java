package dev.outbox.tck.relay.row;

import dev.outbox.message.MessageId;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import java.util.List;

/** What the cases of relays over row claims share. */
abstract class RowRelayCases extends RelayCases {
  RowRelayCases(Opener opener) {
    super(opener);
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.rows();
  }

  List<MessageId> commitNumbered(int count) throws Exception {
    return commit(numbers("u", count).stream().map(RelayCases::unkeyed).toList());
  }
}
