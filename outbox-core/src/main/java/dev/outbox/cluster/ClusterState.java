package dev.outbox.cluster;

/** The state of a cluster, as it reports it itself. */
public enum ClusterState {
  /** Its relays publish what is in its lanes. */
  WORKING,
  /** It is handing over: its relays take nothing new and end what they began. */
  LEAVING,
  /** It has handed over: nothing of it is in flight, the others take over at once. */
  LEFT,
  /** It is back after a silence or a handover, and waits until it has heard what others did. */
  RETURNING
}
