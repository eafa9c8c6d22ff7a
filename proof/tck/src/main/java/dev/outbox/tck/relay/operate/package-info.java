/** What a relay does when it crashes, is closed, gets no reply or is told to by an operator. */
package dev.outbox.tck.relay.operate;
