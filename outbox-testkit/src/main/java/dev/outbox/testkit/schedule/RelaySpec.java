package dev.outbox.testkit.schedule;

import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Where a relay takes up its work in a schedule: its name, its store and publisher, its two clocks,
 * its chance, and how many messages of a lane it may read at a time.
 *
 * <p>Immutable.
 */
public record RelaySpec(
    String name,
    OutboxStore store,
    Publisher publisher,
    LongSupplier nanos,
    InstantSource wall,
    RandomGenerator random,
    int batch) {}
