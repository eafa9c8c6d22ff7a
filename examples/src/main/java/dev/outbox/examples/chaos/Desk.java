package dev.outbox.examples.chaos;

import dev.outbox.Outbox;
import dev.outbox.testkit.history.Journal;
import java.util.List;

/**
 * What the threads of a writer process share: its tables, its outbox, its journal; {@code writer}
 * is this very process, {@code slot} also those before it; it writes to these topics.
 */
record Desk(
    Business business,
    Outbox outbox,
    Journal journal,
    String writer,
    String slot,
    List<String> topics) {}
