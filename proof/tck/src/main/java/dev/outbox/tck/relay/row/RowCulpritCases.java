package dev.outbox.tck.relay.row;

import dev.outbox.message.Message;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.relay.publish.CulpritCases;

/** The same over row claims, where messages have no keys. */
public abstract class RowCulpritCases extends CulpritCases {
  protected RowCulpritCases(Opener opener) {
    super(opener);
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.rows();
  }

  @Override
  protected Message message(int number, String text) {
    return unkeyed(text);
  }
}
