package dev.outbox.jdbc.failover;

import dev.outbox.servers.Sandbox;

/** Losses that operators bring about with statements, under a running relay. */
enum TableLoss {
  /** Rows are deleted, and ids go back to the first of them. */
  DELETED {
    @Override
    void happen(Site site, Tables tables) throws Exception {
      long first = tables.firstId();
      tables.cutOff(
          site,
          () -> {
            tables.run("DELETE FROM outbox");
            tables.forgetFrom(site.firstInFlight());
            tables.nextId(first);
          });
    }
  },
  /** All tables, and the ids, are put back as they were. */
  RESTORED {
    @Override
    void prepare(Tables tables) throws Exception {
      tables.copy();
    }

    @Override
    void happen(Site site, Tables tables) throws Exception {
      long first = tables.firstId();
      tables.cutOff(
          site,
          () -> {
            tables.putBack();
            tables.nextId(first);
          });
    }
  },
  /** The ready table is truncated, and its ids begin again. */
  TRUNCATED {
    @Override
    void happen(Site site, Tables tables) throws Exception {
      tables.truncate(site, true);
    }
  },
  /** The ready table is truncated, and its ids go on. */
  TRUNCATED_IDS_GO_ON {
    @Override
    void happen(Site site, Tables tables) throws Exception {
      tables.truncate(site, false);
    }
  },
  /** An older dump comes into tables made again, whose ids begin again. */
  DUMPED {
    @Override
    void prepare(Tables tables) throws Exception {
      tables.copy();
    }

    @Override
    void happen(Site site, Tables tables) throws Exception {
      tables.cutOff(site, () -> tables.makeAnewWithCopy(site));
    }
  },
  /** The same with the rows that are in flight. */
  DUMPED_WITH_ROWS {
    @Override
    void happen(Site site, Tables tables) throws Exception {
      tables.cutOff(
          site,
          () -> {
            tables.copy();
            tables.makeAnewWithCopy(site);
          });
    }
  },
  /** The tables are made again with nothing in them. */
  MADE_ANEW {
    @Override
    void happen(Site site, Tables tables) throws Exception {
      tables.cutOff(site, () -> tables.makeAnew(site));
    }
  };

  void prepare(Tables tables) throws Exception {}

  abstract void happen(Site site, Tables tables) throws Exception;

  /** This loss in the tables of {@code sandbox}. */
  Loss in(Sandbox sandbox) {
    return new Loss() {
      @Override
      public void prepare(Site site) throws Exception {
        TableLoss.this.prepare(new Tables(sandbox, site.plan()));
      }

      @Override
      public void happen(Site site) throws Exception {
        TableLoss.this.happen(site, new Tables(sandbox, site.plan()));
      }
    };
  }
}
