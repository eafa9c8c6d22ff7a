package dev.outbox.internal.relay.lane;

/** A part of a lane that others can see, as none is: {@code LayeringTest} refuses it. */
public final class VisiblePart {}
