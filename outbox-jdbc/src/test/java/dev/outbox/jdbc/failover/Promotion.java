package dev.outbox.jdbc.failover;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The primary dies and its standby takes its place: with all that was committed, or without what
 * came last.
 */
enum Promotion {
  ASYNCHRONOUS,
  SYNCHRONOUS;

  /** This loss on the servers of {@code pair}. */
  Loss of(Pair pair) {
    return new Loss() {
      @Override
      public void prepare(Site site) throws Exception {
        if (Promotion.this == ASYNCHRONOUS) {
          pair.awaitCopied();
          pair.cut();
        }
      }

      @Override
      public void happen(Site site) throws Exception {
        long committed = committed(site);
        site.line().cut();
        pair.promote();
        site.line().lead(pair.url());
        long lost = committed - committed(site);
        assertThat(lost)
            .as("commits that the standby did not have")
            .isEqualTo(Promotion.this == ASYNCHRONOUS ? site.plan().air() : 0);
      }
    };
  }

  private static long committed(Site site) throws Exception {
    return site.contents().number("SELECT COUNT(*) FROM proof_ledger");
  }
}
