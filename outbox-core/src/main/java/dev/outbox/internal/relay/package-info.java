/** The engine: small parts of one idea each, one loop that owns all state. */
package dev.outbox.internal.relay;
